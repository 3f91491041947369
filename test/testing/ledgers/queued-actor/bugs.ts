import type { Specimen } from '../specimen.ts';

const KEPT = 'await this.#add(`free/${payer}`, -sum);\n    await this.#add(`kept/${payer}`, sum);';

export const queuedActor: Specimen = {
  folder: 'queued-actor',
  style: 'asynchronous actor with a mailbox over a table',
  draws: [],
  bugs: [
    { kind: 'double spend', find: KEPT, replace: 'await this.#add(`kept/${payer}`, sum);' },
    {
      kind: 'double accept',
      find: 'await this.#table.write(ticket, undefined);',
      replace: "if (verb !== 'fetch') await this.#table.write(ticket, undefined);",
    },
    {
      kind: 'lock kept after withdrawal',
      find: 'await this.#add(`kept/${payer}`, -BigInt(sum));',
      replace: "if (verb === 'undo') return 'ok';\n    await this.#add(`kept/${payer}`, -BigInt(sum));",
    },
    { kind: 'deadline off by one', find: 'Number(until) <= at', replace: 'Number(until) < at' },
    {
      kind: 'withdrawal by a non-owner',
      find: "if (user !== entitled) return 'no: wrong user';",
      replace: "if (verb !== 'undo' && user !== entitled) return 'no: wrong user';",
    },
    {
      kind: 'wrong receiver',
      find: "verb === 'fetch' ? payee : payer}`, BigInt",
      replace: "verb === 'undo' ? payer : payee}`, BigInt",
    },
    {
      kind: 'payment without funds',
      find: "if (sum < 1n || sum > free) return 'no: funds';\n    await this.#add(`free/${payer}`, -sum);\n    return",
      replace: "if (sum < 1n) return 'no: funds';\n    await this.#add(`free/${payer}`, -sum);\n    return",
    },
    {
      kind: 'total not conserved',
      detail: 'stale balance of a payment to oneself',
      find: 'await this.#add(`free/${payer}`, -sum);\n    return this.#add(`free/${payee}`, sum);',
      replace:
        "const old = await this.#cell(`free/${payee}`);\n    await this.#add(`free/${payer}`, -sum);\n    await this.#table.write(`free/${payee}`, String(old + sum));\n    return 'ok';",
    },
  ],
};
