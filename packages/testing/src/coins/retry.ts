import type { Coin, CoinCommand, CoinLedger, CoinSession, CoinView, KnownOffer } from './coin-ledger.js';
import { ISSUER, offerOf, unlockedOf } from './coin-ledger.js';

/**
 * Repeats a refused payment or acceptance on a new ledger. Only the parties of the command have coins there: the same
 * unlocked coins as before the refusal.
 * @returns whether the new ledger accepts the command; then an earlier command caused the refusal, not a rule of the
 * ledger. An acceptance is also tried at the time of its offer
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
  // Twice the amount, so that the coin also pays fees of the offer.
  await session.submit({ type: 'mint', to: from, amount: 2n * amount, by: ISSUER, now: madeAt });
  await mintAgain(session, to, before, madeAt);
  const made = await session.submit({ type: 'offer', from, to, amount, deadline, by: from, now: madeAt });
  if (!('accepted' in made && made.accepted) || made.id === undefined) return false;
  return submitted(session, { type: 'accept', offer: made.id, by: to, now });
}

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

/** Plays on a new session. Returns false if `play` throws, because the run itself already reports errors. */
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
