import type { Coin, CoinCommand, CoinLedger, CoinSession, CoinView, KnownOffer } from './coin-ledger.js';
import { ISSUER, offerOf, unlockedOf } from './coin-ledger.js';

/**
 * Repeats a refused payment or acceptance on a new ledger, where only its parties hold coin: the same unlocked coins as before the refusal.
 * A ledger that accepts it there refused it because of an earlier command, not because of a rule of its own. An acceptance is also repeated
 * at the time of its offer.
 */
export async function isAcceptedAnew(ledger: CoinLedger, command: CoinCommand, before: CoinView): Promise<boolean> {
  if (command.type === 'pay') {
    const { from, to, now } = command;
    return onNew(ledger, async (session) => {
      for (const party of new Set([from, to])) await mintAgain(session, party, before, now);
      return submitted(session, command);
    });
  }
  const offer = offerOf(before, command);
  if (command.type !== 'accept' || !offer) return false;
  const accepts = (now: number): Promise<boolean> =>
    onNew(ledger, (session) => acceptsAgain(session, offer, before, now));
  return (await accepts(command.now)) || accepts(offer.madeAt);
}

async function acceptsAgain(session: CoinSession, offer: KnownOffer, before: CoinView, now: number): Promise<boolean> {
  const { from, to, amount, deadline, madeAt } = offer;
  // Twice the amount, so that fees of the offer fit.
  await session.submit({ type: 'mint', to: from, amount: 2n * amount, by: ISSUER, now: madeAt });
  await mintAgain(session, to, before, madeAt);
  const made = await session.submit({ type: 'offer', from, to, amount, deadline, by: from, now: madeAt });
  if (!('accepted' in made && made.accepted) || made.id === undefined) return false;
  return submitted(session, { type: 'accept', offer: made.id, by: to, now });
}

/** Mints the unlocked coins of a party one by one; for a ledger of accounts, its balance. */
async function mintAgain(session: CoinSession, party: string, before: CoinView, now: number): Promise<void> {
  const unlocked = (before.coins?.get(party) ?? []).filter(({ isLocked }: Coin) => !isLocked);
  const amounts = before.coins ? unlocked.map(({ amount }) => amount) : [unlockedOf(before, party)];
  for (const amount of amounts)
    if (amount > 0n) await session.submit({ type: 'mint', to: party, amount, by: ISSUER, now });
}

async function submitted(session: CoinSession, command: CoinCommand): Promise<boolean> {
  const answer = await session.submit(command);
  return 'accepted' in answer && answer.accepted;
}

/** An error of the new ledger counts as a refusal: the run itself reports errors. */
async function onNew(ledger: CoinLedger, play: (session: CoinSession) => Promise<boolean>): Promise<boolean> {
  const session = await ledger.open();
  try {
    return await play(session);
  } catch {
    return false;
  } finally {
    await session.close?.();
  }
}
