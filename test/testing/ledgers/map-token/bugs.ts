import type { Specimen } from '../specimen.ts';

export const mapToken: Specimen = {
  folder: 'map-token',
  style: 'coins in a map, refusals thrown',
  draws: ['inputs', 'merge'],
  rules: { maxInputs: 100 },
  bugs: [
    {
      kind: 'double spend',
      find: "require(new Set(inputs).size === inputs.length, 'a coin twice');",
      replace: '',
    },
    {
      kind: 'double spend',
      detail: 'spent coins remain',
      find: 'for (const id of inputs) this.#coins.delete(id);',
      replace: '',
    },
    { kind: 'double accept', find: 'this.#offers.delete(id);', replace: '' },
    {
      kind: 'change rounded up',
      find: 'const change = worth - amount;',
      replace: 'const change = ((worth - amount + 4n) / 5n) * 5n;',
    },
    {
      kind: 'lock kept after withdrawal',
      find: "require(caller === offer.from, 'not the sender');\n    this.#end(id, offer.from);",
      replace: "require(caller === offer.from, 'not the sender');\n    this.#offers.delete(id);",
    },
    { kind: 'deadline off by one', find: 'now < offer.deadline', replace: 'now <= offer.deadline' },
    {
      kind: 'deadline off by one',
      detail: 'too early',
      find: 'now < offer.deadline',
      replace: 'now + 1 < offer.deadline',
    },
    { kind: 'too many inputs', find: 'inputs.length <= MAX_INPUTS', replace: 'inputs.length - 1 <= MAX_INPUTS' },
    { kind: 'withdrawal by a non-owner', find: "require(caller === offer.from, 'not the sender');", replace: '' },
    {
      kind: 'wrong receiver',
      find: "require(caller === offer.to, 'not the receiver');\n    this.#end(id, offer.from);",
      replace: "require(caller === offer.to, 'not the receiver');\n    this.#end(id, offer.to);",
    },
    { kind: 'payment without funds', find: "require(worth >= least, 'too little coin');", replace: '' },
    {
      kind: 'total not conserved',
      find: 'this.#add(owner, worth, null);',
      replace: 'this.#add(owner, inputs.length > 1 ? worth - 1n : worth, null);',
    },
  ],
};
