import { Amount } from '@coinlab/core';
import { coinOf, consumesCoin, type ScanEvent, type ScanTransaction } from './update-page.js';

interface Coin {
  readonly owner: string;
  readonly units: bigint;
}

interface CoinMove {
  readonly from: string | null;
  readonly to: string;
  readonly amount: Amount;
}

export interface CoinEffect {
  readonly moves: readonly CoinMove[];
  readonly burned: bigint;
  /** Coin that the transaction spends although it was created before the first page. */
  readonly found: Coin | null;
}

/**
 * A party that ends a transaction with less coin has paid; one with more has received. Merges and locks change nothing. Fees are
 * no payments.
 */
export class CoinMoves {
  readonly #coins = new Map<string, Coin>();

  effectOf(transaction: ScanTransaction): CoinEffect | string {
    const change = new Map<string, bigint>();
    const add = (owner: string, units: bigint): void => void change.set(owner, (change.get(owner) ?? 0n) + units);
    const unknown: (string | null)[] = [];
    for (const event of eventsInOrder(transaction)) {
      if (event.event_type === 'created_event') {
        const created = coinOf(event);
        if (created === null) continue;
        const amount = Amount.parse(created.amount.initialAmount);
        if (!amount.ok)
          return `the coin ${event.contract_id} has the amount ${JSON.stringify(created.amount.initialAmount)}`;
        this.#coins.set(event.contract_id, { owner: created.owner, units: amount.value });
        add(created.owner, amount.value);
      } else if (consumesCoin(event)) {
        const coin = this.#coins.get(event.contract_id);
        this.#coins.delete(event.contract_id);
        if (coin) add(coin.owner, -coin.units);
        else unknown.push(ownerOf(event));
      }
    }
    return withUnknown(change, unknown, actorOf(transaction));
  }
}

function* eventsInOrder({ root_event_ids, events_by_id }: ScanTransaction): Generator<ScanEvent, void, undefined> {
  const ahead = root_event_ids.toReversed();
  for (let id = ahead.pop(); id !== undefined; id = ahead.pop()) {
    const event = events_by_id[id];
    if (!event) continue;
    yield event;
    if (event.event_type === 'exercised_event') ahead.push(...event.child_event_ids.toReversed());
  }
}

function actorOf({ root_event_ids: [first = ''], events_by_id }: ScanTransaction): string | null {
  const root = events_by_id[first];
  return root?.event_type === 'exercised_event' ? ownerOf(root) : null;
}

function ownerOf({ acting_parties }: Extract<ScanEvent, { event_type: 'exercised_event' }>): string | null {
  const [owner, ...others] = acting_parties.filter((party) => !/^DSO::/i.test(party));
  return owner !== undefined && others.length === 0 ? owner : null;
}

function withUnknown(
  change: ReadonlyMap<string, bigint>,
  unknown: readonly (string | null)[],
  actor: string | null,
): CoinEffect | string {
  const [owner, ...others] = new Set(unknown);
  if (owner === null || others.length > 0) return 'it uses coins from before the first page with an unknown owner';
  if (owner === undefined) return settled(change, actor, null);
  const missing = [...change.values()].reduce((sum, units) => sum + units, 0n);
  if (missing <= 0n) return settled(change, actor, null);
  const found = { owner, units: missing };
  return settled(new Map([...change, [owner, (change.get(owner) ?? 0n) - missing]]), actor, found);
}

/**
 * When receivers get more than payers lose, the rest was minted: to the payer, who then pays it (rewards are minted in the
 * transfer that uses them), or to the receivers themselves.
 */
function settled(change: ReadonlyMap<string, bigint>, actor: string | null, found: Coin | null): CoinEffect {
  const payers = [...change].filter(([, units]) => units < 0n).map(([party, units]) => ({ party, left: -units }));
  const receivers = [...change].filter(([party, units]) => units > 0n && (payers.length > 0 || party !== actor));
  const lost = payers.reduce((sum, { left }) => sum + left, 0n);
  const minted = [...change.values()].reduce((sum, units) => sum + units, 0n);
  const payer = payers[0]?.party ?? actor;
  const moves: CoinMove[] = [];
  if (payer !== null && receivers.length > 0) {
    if (minted > 0n) moves.push({ from: null, to: payer, amount: Amount.ofUnits(minted) });
    const sources = payers.length > 0 ? payers : [{ party: payer, left: 0n }];
    if (sources[0]) sources[0].left += minted > 0n ? minted : 0n;
    for (const [to, units] of receivers) moves.push(...drawn(sources, to, units));
    return { moves, burned: minted < 0n ? -minted : 0n, found };
  }
  for (const [to, units] of change) if (units > 0n) moves.push({ from: null, to, amount: Amount.ofUnits(units) });
  return { moves, burned: lost, found };
}

function* drawn(sources: readonly { party: string; left: bigint }[], to: string, units: bigint): Generator<CoinMove> {
  let open = units;
  for (const source of sources) {
    const amount = source.left < open ? source.left : open;
    if (amount <= 0n) continue;
    source.left -= amount;
    open -= amount;
    yield { from: source.party, to, amount: Amount.ofUnits(amount) };
  }
}
