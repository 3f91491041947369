import { Instant, settingsOf, utxoCountOf, type LedgerState, type PartyId, type Update } from '@coinlab/core';
import { stakeholdersOf, templateOf } from '@coinlab/core/contracts';
import { newestUsableRound } from '@coinlab/core/rules';
import { findAny, walletBalanceOf } from '@coinlab/core/views';
import { z } from '@hono/zod-openapi';
import type { Host } from '../../host/host.js';
import { balance, shownBalance } from '../../wire/wallet-balance.js';

const MOST_PARTIES = 100;
/** Coins of a party above which a change lists no balance, because computing it visits every coin. */
const MOST_COINS = 1_000;

export const changes = z
  .object({
    offset: z.int(),
    time: z.string().describe('Ledger time of the newest update.'),
    round: z.int().nullable().describe('Newest usable round; holding fees change with it.'),
    speed: z.number().describe('Ledger seconds per second; 0 for a manual clock.'),
    templates: z
      .array(z.string())
      .nullable()
      .describe('Templates of created and archived contracts; null after a revert.'),
    parties: z
      .array(
        z.object({
          party: z.string(),
          coins: z.int(),
          balance: balance.nullable().describe(`Balance of the party; null for more than ${MOST_COINS} coins.`),
        }),
      )
      .nullable()
      .describe(
        `Parties that acted or are stakeholders of these contracts, without the DSO; null for more than ${MOST_PARTIES} and after a revert.`,
      ),
    controls: z.boolean().describe('True if snapshots, forks, automation or faults may have changed.'),
  })
  .openapi('DevChanges');
export type Changes = z.infer<typeof changes>;

export interface ChangesReader {
  readonly isPending: boolean;
  missed(): void;
  take(): Changes;
  close(): void;
}

class Collected {
  parties: Set<PartyId> | null = new Set();
  templates: Set<string> | null = new Set();
  controls = false;
  isPending = false;

  everything(): void {
    this.parties = null;
    this.templates = null;
    this.controls = true;
    this.isPending = true;
  }
}

export class LedgerChanges {
  readonly #host: Host;
  readonly #readers: Set<Collected> = new Set();
  /** The states before and after the newest group of updates: an update names only the ids of archived contracts. */
  #before: LedgerState;
  #after: LedgerState;

  constructor(host: Host) {
    this.#host = host;
    this.#before = this.#after = host.state;
    host.onUpdate((update, state) => this.#updated(update, state));
    host.onReplaced((state) => {
      this.#before = this.#after = state;
      for (const reader of this.#readers) reader.everything();
    });
  }

  open(): ChangesReader {
    if (this.#readers.size === 0) this.#before = this.#after = this.#host.state;
    const readers = this.#readers;
    const host = this.#host;
    let collected = new Collected();
    readers.add(collected);
    return {
      get isPending() {
        return collected.isPending;
      },
      missed: () => collected.everything(),
      take() {
        readers.delete(collected);
        const event = eventOf(collected, host);
        collected = new Collected();
        readers.add(collected);
        return event;
      },
      close: () => void readers.delete(collected),
    };
  }

  controlled(): void {
    for (const reader of this.#readers) {
      reader.controls = true;
      reader.isPending = true;
    }
  }

  #updated(update: Update, state: LedgerState): void {
    if (this.#readers.size === 0) return;
    if (state !== this.#after) {
      this.#before = this.#after;
      this.#after = state;
    }
    const archived = update.archived.flatMap((id) => findAny(this.#before, id) ?? []);
    const { dso } = settingsOf(state);
    const parties = new Set(update.actAs);
    for (const contract of [...archived, ...update.created])
      if (!templateOf(contract).isRecord) for (const party of stakeholdersOf(contract, dso)) parties.add(party);
    parties.delete(dso);
    for (const reader of this.#readers) {
      reader.isPending = true;
      for (const { template } of [...archived, ...update.created]) reader.templates?.add(template);
      for (const party of parties) reader.parties?.add(party);
      if ((reader.parties?.size ?? 0) > MOST_PARTIES) reader.parties = null;
    }
  }
}

function eventOf({ parties, templates, controls }: Collected, { state, clock }: Host): Changes {
  const time = Instant.later(clock.now(), state.time);
  return {
    offset: state.offset,
    time: Instant.format(time),
    round: newestUsableRound(state, time)?.round ?? null,
    speed: clock.speed,
    templates: templates && [...templates].sort(),
    parties: parties && [...parties].sort().map((party) => holderOf(state, party, time)),
    controls,
  };
}

function holderOf(state: LedgerState, party: PartyId, now: Instant): NonNullable<Changes['parties']>[number] {
  const coins = utxoCountOf(state, party);
  const found = coins <= MOST_COINS ? walletBalanceOf(state, party, now) : null;
  return { party, coins, balance: found && shownBalance(found) };
}
