import type { CoinLedger, CoinLedgerCheck } from '@coinlab/testing';
import type { Replacement } from '../../faults/replaced.ts';
import { accountToken } from './account-token/bugs.ts';
import { httpBank } from './http-bank/bugs.ts';
import { mapToken } from './map-token/bugs.ts';
import type { Specimen } from './specimen.ts';
import { utxoList } from './utxo-list/bugs.ts';

/** An unusual behaviour of a correct ledger, which `checkCoinLedger` must accept. */
export interface Oddity extends Replacement {
  readonly what: string;
  readonly specimen: Specimen;
  /** Settings of the check that differ from those of the specimen. */
  readonly check?: Partial<CoinLedgerCheck>;
  readonly adapt?: (ledger: CoinLedger) => CoinLedger;
}

function withFee(ledger: CoinLedger, fee: bigint): CoinLedger {
  return {
    name: ledger.name,
    async open() {
      const session = await ledger.open();
      return {
        ...session,
        async submit(command) {
          const answer = await session.submit(command);
          return command.type === 'pay' && 'accepted' in answer && answer.accepted ? { ...answer, fee } : answer;
        },
      };
    },
  };
}

const TRANSFER = 'if (amount > payer.available)';
const SPENDABLE = "require(amount > 0n, 'no amount');";

export const ODDITIES: readonly Oddity[] = [
  {
    what: 'a fee for each payment',
    specimen: accountToken,
    find: `${TRANSFER} return 'ERR_BALANCE';\n    payer.available -= amount;`,
    replace: "if (amount + 2n > payer.available) return 'ERR_BALANCE';\n    payer.available -= amount + 2n;",
    adapt: (ledger) => withFee(ledger, 2n),
  },
  {
    what: 'refusals without a text',
    specimen: mapToken,
    find: 'throw new Refusal(otherwise)',
    replace: "throw new Refusal('')",
  },
  {
    what: 'a refusal of payments to oneself',
    specimen: accountToken,
    find: "if (amount <= 0n) return 'ERR_AMOUNT';",
    replace: "if (amount <= 0n || from === to) return 'ERR_AMOUNT';",
  },
  {
    what: 'a minimum amount of ten',
    specimen: mapToken,
    find: SPENDABLE,
    replace: "require(amount >= 10n, 'below the minimum');",
  },
  {
    what: 'a maximum amount of fifty',
    specimen: mapToken,
    find: SPENDABLE,
    replace: "require(amount > 0n && amount <= 50n, 'above the maximum');",
  },
  {
    what: 'coins that are merged on receipt',
    specimen: mapToken,
    find: 'this.#coins.set(id, { id, owner, amount, lockedBy });',
    replace: `const own = this.coinsOf(owner).filter((coin) => coin.lockedBy === null && lockedBy === null);
    for (const coin of own) this.#coins.delete(coin.id);
    this.#coins.set(id, { id, owner, amount: own.reduce((sum, coin) => sum + coin.amount, amount), lockedBy });`,
  },
  {
    what: 'a balance that must not fall below five',
    specimen: accountToken,
    find: TRANSFER,
    replace: 'if (amount > payer.available - 5n)',
  },
  {
    what: 'payments of nothing',
    specimen: accountToken,
    find: "if (amount <= 0n) return 'ERR_AMOUNT';",
    replace: "if (amount < 0n) return 'ERR_AMOUNT';",
  },
  {
    what: 'refunds after the deadline for any caller',
    specimen: httpBank,
    find: 'user === held.payer ? release(held)',
    replace: 'user === held.payer || time >= held.expiresAt ? release(held)',
  },
  {
    what: 'refunds at the deadline without a command',
    specimen: httpBank,
    find: 'const key =',
    replace:
      "for (const each of book.holds) if (each.state === 'HELD' && time >= each.expiresAt) each.state = 'RELEASED';\n  const key =",
  },
  {
    what: 'repeated requests that succeed without effect',
    specimen: httpBank,
    find: "if (held.state !== 'HELD') return",
    replace:
      "if (held.state === (action === 'capture' ? 'CAPTURED' : 'RELEASED')) return [200, {}];\n  if (held.state !== 'HELD') return",
  },
  {
    what: 'a limit of five inputs that the check does not have',
    specimen: utxoList,
    find: "if (used.length > 100) return fail('transaction too large');\n  const total",
    replace: "if (used.length > 5) return fail('transaction too large');\n  const total",
    check: { draws: ['inputs', 'merge'] },
  },
  {
    what: 'an acceptance at the deadline where the check allows it',
    specimen: accountToken,
    find: 'time >= escrow.deadline',
    replace: 'time > escrow.deadline',
    check: { acceptsAtDeadline: true },
  },
];
