import { faultIn, type Fault } from '../fault.ts';

const TRANSFER = 'rules/transfer/transfer.ts';
const TOO_MANY = 'if (inputs.length > round.config.maxNumInputs) {';
const CHANGE = 'const changeAmount = (leftOver - changeFee) as Amount;';

/** Transfers that lose, create or take coin, and limits that are exceeded. */
export const transferFaults: readonly Fault[] = [
  faultIn(TRANSFER, {
    name: 'change-rounded-up',
    what: 'Change is rounded up to nine places, and the difference counts as minted.',
    find: CHANGE,
    replace: `const changeAmount = (((leftOver - changeFee + 9n) / 10n) * 10n) as Amount;
  effects.mint((changeAmount - (leftOver - changeFee)) as Amount);`,
  }),
  faultIn(TRANSFER, {
    name: 'amounts-through-float',
    what: 'The coins of a transfer are added up as floating-point numbers.',
    find: 'sums.coin += input.amount;',
    replace: 'sums.coin = BigInt(Number(sums.coin) + Number(input.amount));',
  }),
  faultIn(TRANSFER, {
    name: 'locked-input',
    what: 'A locked coin can be spent.',
    find: 'if (input.lock && now < input.lock.expiresAt) {',
    replace: 'if (input.lock && now < state.time) {',
  }),
  faultIn(TRANSFER, {
    name: 'spend-twice',
    what: 'A spent coin can be spent again, which creates coin.',
    find: 'if (!input) {\n      return effects',
    replace: `if (!input) {
      if (!effects.hasArchived(id) && id < state.nextContract) {
        sums.coin += Amount.one;
        effects.mint(Amount.one);
        continue;
      }
      return effects`,
  }),
  {
    name: 'input-twice',
    what: 'A coin that is named twice is spent twice.',
    patches: [
      { file: TRANSFER, find: 'import { firstByKey, worthOf,', replace: 'import { findAny, firstByKey, worthOf,' },
      {
        file: TRANSFER,
        find: 'const input = effects.findAny(id);',
        replace: 'const input = effects.findAny(id) ?? findAny(state, id);',
      },
      {
        file: TRANSFER,
        find: 'effects.archive(input);\n  }',
        replace: `if (!effects.hasArchived(id)) effects.archive(input);
    else if (input.template === 'Holding') effects.mint(input.amount);
  }`,
      },
    ],
  },
  {
    name: 'input-twice-in-batch',
    what: 'Each operation of a batch spends the same coin again.',
    patches: [
      {
        file: 'workflows/batch.ts',
        find: '...inputs.filter((id) => findAny(ahead, id) !== null)];',
        replace: '...inputs];',
      },
      {
        file: 'workflows/batch.ts',
        find: 'runner.apply(decided.value, ahead, context);\n',
        replace: `runner.apply({ ...decided.value, archived: decided.value.archived.filter((id) => findAny(state, id) === null),
      detail: { ...decided.value.detail, minted: decided.value.created.reduce((sum, one) => sum + (one.template === 'Holding' ? one.amount : 0n), 0n), burned: 0n } }, ahead, context);
`,
      },
      {
        file: 'workflows/batch.ts',
        find: 'for (const id of archived) if (!this.#created.delete(id)) this.#archived.push(id);',
        replace:
          'for (const id of archived) if (!this.#created.delete(id) && !this.#archived.includes(id)) this.#archived.push(id);',
      },
    ],
  },
  faultIn(TRANSFER, {
    name: 'cap-of-99',
    what: 'A transfer of exactly 100 inputs is refused.',
    find: TOO_MANY,
    replace: TOO_MANY.replace('>', '>='),
    needsManyInputs: true,
  }),
  faultIn(TRANSFER, {
    name: 'cap-of-101',
    what: 'A transfer of 101 inputs is accepted.',
    find: TOO_MANY,
    replace: TOO_MANY.replace('maxNumInputs', 'maxNumInputs + 1'),
    needsManyInputs: true,
  }),
  {
    name: 'merge-loses-unit',
    what: 'A merge loses the smallest unit and records it as burned.',
    patches: [
      {
        file: TRANSFER,
        find: CHANGE,
        replace: `const lost = outputs.length === 0 && inputs.length > 1 && leftOver - changeFee > 1n ? 1n : 0n;
  effects.burn(lost as Amount);
  const changeAmount = (leftOver - changeFee - lost) as Amount;`,
      },
    ],
  },
  faultIn(TRANSFER, {
    name: 'takes-anothers-coin',
    what: "A merge consumes another party's coin if the command names it.",
    find: 'if (!isInput || owner !== request.sender) {',
    replace: 'if (!isInput || (owner !== request.sender && !(owner !== null && request.outputs.length === 0))) {',
  }),
  faultIn('rules/transfer/preapproval.ts', {
    name: 'preapproval-expired',
    what: 'An expired preapproval can still be used if the command names it.',
    find: 'if (now >= preapproval.expiresAt)\n',
    replace: 'if (now >= preapproval.expiresAt && named === undefined)\n',
  }),
  faultIn('rules/transfer/preapproval.ts', {
    name: 'preapproval-of-another',
    what: "Another receiver's preapproval can be used.",
    find: 'if (stranger) return err(stranger);',
    replace: 'if (stranger && named === undefined) return err(stranger);',
  }),
  {
    name: 'nonce-reused',
    what: 'The counter of transfer commands does not advance, so a nonce works twice.',
    patches: [
      {
        file: 'workflows/transfer-command/send.ts',
        find: 'sender, nextNonce: nonce + 1 }',
        replace: 'sender, nextNonce: nonce }',
      },
    ],
  },
];
