import type { LabFault } from './lab-fault.ts';
import { Plot } from './trial.ts';

/** Errors of a replacement that does not fit the source any more: the tests have not found the fault. */
const MISTAKEN = /is not (defined|a function|a constructor)|do not start|Unexpected|Failed to/;

/**
 * Plants each fault, runs its tests and prints the outcome; at last runs the tests on the unchanged source.
 * @returns whether every fault was found and the unchanged source passes
 */
export function huntLabFaults(faults: readonly LabFault[], print: (line: string) => void): boolean {
  const plot = new Plot();
  let found = 0;
  try {
    for (const fault of faults) {
      const { found: test, seconds } = plot.try(fault);
      const isFound = test !== null && !MISTAKEN.test(test);
      if (isFound) found += 1;
      print(`${isFound ? '✓' : '✗'} ${fault.name.padEnd(28)} ${test ?? 'NOT FOUND'}; ${seconds.toFixed(1)} s`);
    }
    const tests = [...new Set(faults.flatMap((fault) => fault.tests))];
    const broken = plot.sound(tests);
    print(`${broken === null ? '✓' : '✗'} the lab as it is: ${broken ?? 'passes'}`);
    print(`${found} of ${faults.length} faults found`);
    return found === faults.length && broken === null;
  } finally {
    plot.remove();
  }
}
