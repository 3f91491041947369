import { numberingOf, type LedgerState } from './contracts/state.js';
import { Amount } from './kernel/amount.js';
import type { Rejected } from './kernel/rejection.js';
import { err, ok, type Result } from './kernel/result.js';
import { invalid } from './rules/refusals.js';
import { packPayment, type WalletPayment } from './rules/transfer/packed-transfer.js';
import { inputsCovering } from './rules/transfer/selection.js';
import type { DirectTransfer } from './workflows/direct.js';
import type { Engine } from './engine.js';
import { AcceptedEntry, type Submitted, type UpdateOfCommand } from './log/submitted.js';

/**
 * Makes a preapproved transfer between two wallets, given by number (`walletOf`), from the sender's smallest coins:
 * for simulations of millions of payments, without lookups by party. A rejected payment changes nothing.
 */
export function pay(engine: Engine, payment: WalletPayment): Submitted<DirectTransfer> {
  const packed = packPayment(payment, engine.state);
  if (packed) {
    engine.apply(packed);
    return ok(new AcceptedEntry<UpdateOfCommand<DirectTransfer>>(packed));
  }
  const command = commandOf(payment, engine.state);
  if (!command.ok) return command;
  return engine.submit(command.value, { now: payment.now, actAs: [command.value.sender] });
}

function commandOf(
  { from, to, units }: WalletPayment,
  state: LedgerState,
): Result<DirectTransfer, Rejected<'INVALID_ARGUMENT'>> {
  const parties = numberingOf(state);
  const sender = parties.at(from);
  const receiver = parties.at(to);
  if (sender === undefined || receiver === undefined) {
    const [field, value] = sender === undefined ? ['from', from] : ['to', to];
    return err(invalid(field, String(value), 'a number that walletOf gave'));
  }
  if (!Number.isSafeInteger(units))
    return err(invalid('units', String(units), 'units of 10^-10 coin: a whole number up to 2^53 - 1'));
  const amount = Amount.ofUnits(BigInt(units));
  const inputs = inputsCovering(state, sender, amount, 'smallest');
  return ok({ type: 'DirectTransfer', sender, receiver, amount, inputs });
}
