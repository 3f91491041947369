import { accountToken } from './account-token/bugs.ts';
import { eventJournal } from './event-journal/bugs.ts';
import { frozenState } from './frozen-state/bugs.ts';
import { httpBank } from './http-bank/bugs.ts';
import { mapToken } from './map-token/bugs.ts';
import { objectWallets } from './object-wallets/bugs.ts';
import { queuedActor } from './queued-actor/bugs.ts';
import type { Specimen } from './specimen.ts';
import { utxoList } from './utxo-list/bugs.ts';

/** Ledgers in the styles that users write, each with its bugs. */
export const SPECIMENS: readonly Specimen[] = [
  mapToken,
  utxoList,
  objectWallets,
  frozenState,
  accountToken,
  eventJournal,
  queuedActor,
  httpBank,
];
