// Reads the package's own type declarations: names, types, docs and defaults of its options. So the form can never lag
// behind the product.

const FILES = ['options.d.ts', 'retry.d.ts'];

/** Options by interface: `Map` of `{ name, type, doc, default }` lists. */
export async function loadDeclarations(base) {
  const interfaces = new Map();
  const texts = await Promise.all(FILES.map(async (file) => {
    const response = await fetch(new URL(file, base));
    if (!response.ok) throw new Error(`${response.url} answered ${response.status}`);
    return response.text();
  }));
  for (const text of texts) for (const [name, options] of parseDeclarations(text)) interfaces.set(name, options);
  return interfaces;
}

/** The documented, optional members of every interface in a declaration file. */
export function* parseDeclarations(text) {
  for (const [, name, body] of text.matchAll(/^(?:export )?interface (\w+)[^{]*\{\n([\s\S]*?)^\}/gm)) {
    const members = body.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*(\w+)\?: ([^;]*);/g);
    yield [name, [...members].map(([, comment, member, type]) => ({
      name: member,
      type: type.replace(/\s+/g, ' ').replace(/ \| undefined$/, ''),
      ...parseComment(comment),
    }))];
  }
}

function parseComment(comment) {
  const lines = comment.split('\n').map((line) => line.replace(/^\s*\* ?/, '').trim());
  const tag = lines.findIndex((line) => line.startsWith('@'));
  const doc = lines.slice(0, tag === -1 ? undefined : tag).join(' ').trim();
  const fallback = lines.find((line) => line.startsWith('@default '))?.slice('@default '.length);
  return { doc, default: fallback === 'undefined' ? '' : (fallback ?? '') };
}
