import { automationFaults } from './catalogue/automation.ts';
import { engineFaults } from './catalogue/engine.ts';
import { offerFaults } from './catalogue/offers.ts';
import { roundFaults } from './catalogue/rounds.ts';
import { transferFaults } from './catalogue/transfers.ts';
import type { Fault } from './fault.ts';

/** The faults that are planted in the core one at a time; the test kit must find each. */
export const FAULTS: readonly Fault[] = [
  ...offerFaults,
  ...transferFaults,
  ...roundFaults,
  ...engineFaults,
  ...automationFaults,
];
