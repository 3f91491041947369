import { automationFaults } from './catalogue/automation.ts';
import { engineFaults } from './catalogue/engine.ts';
import { offerFaults } from './catalogue/offers.ts';
import { roundFaults } from './catalogue/rounds.ts';
import { transferFaults } from './catalogue/transfers.ts';
import type { Fault } from './fault.ts';

/** Faults that a ledger could have; the test kit must find each. */
export const FAULTS: readonly Fault[] = [
  ...offerFaults,
  ...transferFaults,
  ...roundFaults,
  ...engineFaults,
  ...automationFaults,
];
