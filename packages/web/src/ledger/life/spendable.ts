import type { Instant } from '@coinlab/core';
import { grouped, shownAmount } from '../../format/amounts.js';
import { hintOf } from '../../format/parties.js';
import { instantOf, relativeTime, shownTime } from '../../format/times.js';
import { isActiveAt, log, type LedgerContract, type Lived } from '../../store/log.js';
import { amountIn } from './ancestry.js';

export interface Spendable {
  readonly can: boolean;
  readonly reason: string;
}

export function spendable({ contract, born, gone }: Lived, at: number, now: Instant): Spendable {
  const owner = hintOf(String(contract['owner']));
  if (born > at) return { can: false, reason: `It does not exist yet: offset ${grouped(born)} makes it.` };
  if (gone !== null && gone <= at) return { can: false, reason: endText(gone) };
  const lock = lockOf(contract);
  const round = roundAt(at, now);
  const dustIn = dustRoundOf(contract);
  if (dustIn !== null && round !== null && dustIn <= round)
    return {
      can: false,
      reason: `It is dust since round ${grouped(dustIn)}: its holding fee is above its amount of ${shownAmount(amountIn(contract))} CC. The DSO may archive it.`,
    };
  if (lock === null) return { can: true, reason: `${owner} can spend it.` };
  const ends = instantOf(lock.expiresAt);
  const holders = lock.holders.map(hintOf).join(', ');
  if (ends !== null && ends <= now)
    return { can: true, reason: `Its lock ended ${shownTime(ends)} UTC, so ${owner} can spend it again.` };
  // The context names a party by its whole id.
  const reason = lock.context === null ? '' : ` (${lock.context.replaceAll(/::[0-9a-f]{8,}/g, '')})`;
  const until = ends === null ? lock.expiresAt : `${shownTime(ends)} UTC, ${relativeTime(ends, now)}`;
  return {
    can: false,
    reason: `It is locked by ${holders} until ${until}${reason}. ${unlockText(contract.id, owner)}`,
  };
}

function endText(offset: number): string {
  const update = log.updateAt(offset);
  return `It no longer exists: ${update?.kind ?? 'an update'} at offset ${grouped(offset)} archived it.`;
}

interface Lock {
  readonly holders: readonly string[];
  readonly expiresAt: string;
  readonly context: string | null;
}

function lockOf({ lock }: LedgerContract): Lock | null {
  // Cast: the log writes a lock in this form.
  return typeof lock === 'object' && lock !== null ? (lock as Lock) : null;
}

function unlockText(coin: number, owner: string): string {
  const offer = log.lived.find(
    ({ contract, gone }) => gone === null && contract.template === 'TransferInstruction' && holdsCoin(contract, coin),
  );
  if (!offer) return 'Its lock holders can unlock it before.';
  const { contract } = offer;
  const receiver = contract['transfer'];
  const name =
    typeof receiver === 'object' && receiver !== null && 'receiver' in receiver
      ? hintOf(String(receiver.receiver))
      : 'the receiver';
  return `It is free again when ${name} rejects the offer #${contract.id}, or ${owner} withdraws it.`;
}

function holdsCoin(contract: LedgerContract, coin: number): boolean {
  return Object.values(contract).includes(coin);
}

/** The first round in which the holding fee is above the amount; null without a fee. */
function dustRoundOf(contract: LedgerContract): number | null {
  const rate = amountIn({ ...contract, amount: contract['ratePerRound'] });
  const made = Number(contract['createdAt']);
  return rate <= 0n ? null : made + Number(amountIn(contract) / rate) + 1;
}

/** The newest open round that transfers use at a moment; null without one. */
function roundAt(at: number, now: Instant): number | null {
  let newest: number | null = null;
  for (let index = log.lived.length - 1; index >= 0; index--) {
    const one = log.lived[index];
    if (!one || one.contract.template !== 'OpenMiningRound' || !isActiveAt(one, at)) continue;
    const opens = instantOf(String(one.contract['opensAt']));
    const round = Number(one.contract['round']);
    if (opens !== null && opens <= now && round > (newest ?? -1)) newest = round;
  }
  return newest;
}
