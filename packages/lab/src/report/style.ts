import { DARK_COLOURS } from './look.js';

const LIGHT = ['#0072b2', '#d55e00', '#009e73', '#a8538b', '#b27d00', '#3a93c4'];

const colours = (values: readonly string[]): string => values.map((value, i) => `--c${i + 1}: ${value};`).join(' ');

export const STYLE = `
:root { color-scheme: light; --ground: #ffffff; --ink: #1a1a1a; --quiet: #5c5c5c; --grid: #dddddd; --panel: #f6f6f4; --good: #00704f; --bad: #b3261e; ${colours(LIGHT)} }
@media screen and (prefers-color-scheme: dark) {
  :root { color-scheme: dark; --ground: #16181b; --ink: #e6e6e3; --quiet: #a3a6a8; --grid: #34383c; --panel: #1f2226; --good: #4fd1a1; --bad: #ff8a80; ${colours(DARK_COLOURS)} }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2rem 1.25rem 4rem; max-width: 84rem; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
h1 { margin: 0 0 .25rem; font-size: 1.75rem; line-height: 1.25; }
h2 { margin: 2.75rem 0 .75rem; font-size: 1.25rem; border-bottom: 1px solid var(--grid); padding-bottom: .25rem; }
h3 { margin: 1.75rem 0 .5rem; font-size: 1rem; }
p { max-width: 46rem; margin: .5rem 0; overflow-wrap: anywhere; }
.quiet, figcaption { color: var(--quiet); }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: 1rem 0 0; }
a { color: var(--c1); }
.figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(30rem, 100%), 1fr)); gap: 1.75rem 2rem; }
figure { margin: 0; break-inside: avoid; }
figure h3 { margin: 0 0 .4rem; }
figure svg { display: block; width: 100%; height: auto; max-width: 44rem; }
@media screen and (max-width: 40rem) { figure svg { min-width: 36rem; } }
figcaption { font-size: .85rem; margin-top: .3rem; max-width: 44rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .9rem .25rem 0; text-align: left; vertical-align: baseline; border-bottom: 1px solid var(--grid); white-space: nowrap; }
th { font-weight: 600; }
td.number, th.number { text-align: right; }
td.text { white-space: normal; min-width: 16rem; }
tbody th { font-weight: 400; }
.good { color: var(--good); font-weight: 600; }
.bad { color: var(--bad); font-weight: 600; }
pre { background: var(--panel); padding: .9rem 1rem; overflow-x: auto; font: .8rem/1.5 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; max-width: 60rem; }
@media print {
  @page { margin: 14mm; }
  html { font-size: 9pt; }
  body { padding: 0; max-width: none; font-size: 9pt; }
  nav { display: none; }
  h2, h3 { break-after: avoid; }
  .figures { grid-template-columns: 1fr 1fr; gap: 5mm 6mm; }
  h2 { margin-top: 7mm; }
  .wide { overflow: visible; }
  table { font-size: 7.5pt; }
  th, td { padding-right: 2.5mm; }
  tr { break-inside: avoid; }
  pre { font-size: 7pt; }
}
`;
