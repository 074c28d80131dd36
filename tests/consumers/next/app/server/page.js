import { smoke } from '../../smoke/smoke.mjs';

export default async function Page({ searchParams }) {
  const report = await smoke(new URLSearchParams(await searchParams));
  return <pre id="report">{encodeURIComponent(JSON.stringify(report))}</pre>;
}
