/** Draws a uniform integer from 0 to `below` − 1. */
export type Draw = (below: number) => number;

/** The largest seed: 2³² − 1. */
export const LARGEST_SEED: number = 0xffff_ffff;
