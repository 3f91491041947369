import { Amount, Round, type Instant, type RuleProfile } from '@coinlab/core';
import { expiryRoundOf } from '@coinlab/core/contracts';
import { accruedFee, judgingRoundOf } from '@coinlab/core/rules';
import { grouped, shownAmount } from '../../format/amounts.js';
import { hintOf } from '../../format/parties.js';
import { instantOf, relativeTime, shownTime } from '../../format/times.js';
import { activeOf, isActiveAt, type LedgerContract, type Lived, type LogCopy } from '../../store/log-copy.js';
import { termsIn } from './coin.js';

export interface Spendable {
  readonly can: boolean;
  readonly reason: string;
}

export function spendable(lived: Lived, log: LogCopy, at: number, now: Instant): Spendable {
  const { contract, born, gone } = lived;
  if (born > at) return { can: false, reason: `It does not exist yet: offset ${grouped(born)} makes it.` };
  if (!isActiveAt(lived, at)) return { can: false, reason: endText(log.updateAt(gone ?? at)?.kind, gone ?? at) };
  const owner = hintOf(String(contract['owner']));
  const lock = lockOf(contract);
  const ends = lock === null ? null : instantOf(lock.expiresAt);
  const isHeld = lock !== null && (ends === null || now < ends);
  const dust = dustText(contract, log, { at, now, isHeld });
  if (!isHeld) {
    const freed =
      ends === null
        ? `${owner} can spend it.`
        : `Its lock ended ${shownTime(ends)} UTC, so ${owner} can spend it again.`;
    return { can: true, reason: freed + dust };
  }
  const holders = lock.holders.map(hintOf).join(', ');
  // The context names a party by its whole id.
  const context = lock.context === null ? '' : ` (${lock.context.replaceAll(/::[0-9a-f]{8,}/g, '')})`;
  const until = ends === null ? lock.expiresAt : `${shownTime(ends)} UTC, ${relativeTime(ends, now)}`;
  const reason = `It is locked by ${holders} until ${until}${context}. ${unlockText(lived, log, at)}`;
  return { can: false, reason: reason + dust };
}

function endText(kind: string | undefined, offset: number): string {
  return `It no longer exists: ${kind ?? 'an update'} at offset ${grouped(offset)} archived it.`;
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

/** The update that locks the coin creates the instruction. */
function unlockText({ contract: coin, born }: Lived, log: LogCopy, at: number): string {
  const made = log.updateAt(born)?.created ?? [];
  const offer = made.find((one) => one.template === 'TransferInstruction' && one['lockedHolding'] === coin.id);
  const open = offer && log.get(offer.id);
  if (!offer || !open || !isActiveAt(open, at)) return 'Its lock holders can unlock it before.';
  const terms = offer['transfer'];
  const receiver =
    typeof terms === 'object' && terms !== null && 'receiver' in terms
      ? hintOf(String(terms.receiver))
      : 'the receiver';
  return `It is free again when ${receiver} rejects the offer #${offer.id}, or ${hintOf(String(coin['owner']))} withdraws it.`;
}

/** The fee never prevents a transfer, but the DSO may archive the coin as dust. */
function dustText(
  contract: LedgerContract,
  log: LogCopy,
  { at, now, isHeld }: { readonly at: number; readonly now: Instant; readonly isHeld: boolean },
): string {
  const profile = profileOf(log);
  if (profile === null) return '';
  const coin = termsIn(contract);
  const open = activeOf(log, 'OpenMiningRound', at);
  const judgedAt = judgingRoundOf(profile, {
    open: open.map(({ contract: one }) => roundIn(one, 'round')),
    ofConfigStates: activeOf(log, 'ExternalPartyConfigState', at).map(({ contract: one }) =>
      roundIn(one, 'holdingFeesOpenRound'),
    ),
  });
  const usable = open.filter(({ contract: one }) => (instantOf(String(one['opensAt'])) ?? now) <= now);
  const newest = usable.map(({ contract: one }) => roundIn(one, 'round')).sort((a, b) => b - a)[0];
  const texts: string[] = [];
  const fee = profile.chargesHoldingFee && newest !== undefined ? accruedFee(coin, newest) : Amount.zero;
  if (fee > 0n)
    texts.push(
      fee === coin.amount
        ? 'Its holding fee has used up its amount: as an input it adds nothing.'
        : `A transfer takes a holding fee of ${shownAmount(fee)} CC from it.`,
    );
  const expires = expiryRoundOf(coin, profile.dustAtEquality);
  if (expires !== null && judgedAt !== null && expires <= judgedAt)
    texts.push(
      `It is dust since round ${grouped(expires)}: ` +
        (isHeld && !profile.expiresLockedDust
          ? 'once its lock has ended, the DSO may archive it.'
          : 'the DSO may archive it.'),
    );
  return texts.map((text) => ` ${text}`).join('');
}

/** The first update of the ledger creates its rules. */
function profileOf(log: LogCopy): RuleProfile | null {
  const profile = log.ofTemplate('LedgerSettings')[0]?.contract['profile'];
  // Cast: the log writes the profile in this form.
  return typeof profile === 'object' && profile !== null ? (profile as RuleProfile) : null;
}

function roundIn(contract: LedgerContract, field: string): Round {
  return Round.of(Number(contract[field]));
}
