// A file of scenarios: what it is called, and the single scenarios in it.

/**
 * @param {string} id the name of the file
 * @param {object} file
 * @param {object[]} variants its single scenarios, as `expand` gives them
 */
export function family(id, file, variants) {
  const [, numbers, title] = /^((?:[A-Z]\d\d )*)(.*)$/.exec(file.name);
  return {
    id,
    title,
    numbers: numbers.trim(),
    doc: file.doc,
    group: file.group,
    variants: variants.map((scenario) => {
      const label = scenario.name === file.name ? '' : scenario.name.slice(file.name.length + 2);
      return { id: label ? `${id}/${slug(label)}` : id, label, scenario };
    }),
  };
}

/** A name as a part of an address. */
function slug(text) {
  return text.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '');
}

/**
 * The variant that the fragment of an address names: by its id, by that of its family, or by a number of the catalogue
 * such as C01.
 */
export function named(families, fragment) {
  const name = fragment.replace(/^#/, '');
  if (name === '') return undefined;
  for (const family of families) {
    const variant = family.variants.find(({ id }) => id === name);
    if (variant) return { family, variant };
  }
  const family = families.find(({ id, numbers }) => id === name || numbers.split(' ').includes(name.toUpperCase()));
  return family && { family, variant: family.variants[0] };
}

/** Whether the scenario's server has a certificate that no browser trusts. */
export function needsCertificate(scenario) {
  return [scenario.origin, ...Object.values(scenario.others ?? {}).map((other) => other.origin)].some((one) => one?.tls);
}
