import { designFaults } from './designs.ts';
import type { LabFault } from './lab-fault.ts';
import { networkFaults } from './networks.ts';
import { statisticsFaults } from './statistics.ts';

/** Mistakes that the lab could have; fast tests must find each. */
export const LAB_FAULTS: readonly LabFault[] = [...statisticsFaults, ...networkFaults, ...designFaults];
