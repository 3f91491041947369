import { ContractId, Engine, type Update } from '@coinlab/core';
import { TRACKING_ID_KEY } from '@coinlab/core/rules';
import { openFileStore } from '@coinlab/store';
import type { Told } from '../serving/offers.js';

export interface Checkpoint {
  readonly offset: number;
  readonly hash: string;
}

/** The content of a log after every record was checked. */
export interface Found {
  readonly head: number;
  /** Notes of the store about the end of the log. */
  readonly notes: readonly string[];
  /** Differences from the facts that clients and the server reported; empty if there are none. */
  readonly faults: readonly string[];
}

/**
 * Replays the log of a killed server and compares it with the facts that clients and the server reported.
 * Each acknowledged write must occur exactly once, every other write at most once, and the state hashes must
 * be equal.
 */
export async function ledgerOnDisk(folder: string, told: Told, checkpoints: readonly Checkpoint[]): Promise<Found> {
  const engine = new Engine();
  const hashes = new Map<number, string>();
  const wanted = new Set(checkpoints.map(({ offset }) => offset));
  const offered = new Map<string, string[]>();
  const accepted = new Map<string, number>();
  const notes: string[] = [];
  const onUpdate = (update: Update): void => {
    engine.apply(update);
    if (wanted.has(update.offset)) hashes.set(update.offset, engine.hash());
    if (update.kind === 'TransferOffered') {
      const id = update.detail.meta[TRACKING_ID_KEY] ?? '';
      offered.set(id, [...(offered.get(id) ?? []), ContractId.format(update.detail.instruction)]);
    }
    if (update.kind === 'TransferAccepted') {
      const id = ContractId.format(update.detail.instruction);
      accepted.set(id, (accepted.get(id) ?? 0) + 1);
    }
  };
  const opened = await openFileStore({ folder, onUpdate, onNote: (note) => notes.push(note) });
  if (!opened.ok) return { head: 0, notes, faults: [`the log was refused: ${JSON.stringify(opened.error)}`] };
  const { offset: head } = opened.value.head();
  await opened.value.close();

  const faults: string[] = [];
  for (const [id, contract] of told.offered)
    if (offered.get(id)?.join() !== contract)
      faults.push(`offer ${id} was acknowledged as ${contract}; the log has ${offered.get(id)?.join() ?? 'nothing'}`);
  for (const offer of told.accepted)
    if (accepted.get(offer) !== 1) faults.push(`acceptance of ${offer}: ${accepted.get(offer) ?? 0} times in the log`);
  for (const [id, contracts] of offered) if (contracts.length > 1) faults.push(`offer ${id} is there twice`);
  for (const [offer, times] of accepted) if (times > 1) faults.push(`acceptance of ${offer} is there ${times} times`);
  for (const { offset, hash } of checkpoints)
    if (hashes.get(offset) !== hash) faults.push(`the state at offset ${offset} is not what the server told`);
  return { head, notes, faults };
}
