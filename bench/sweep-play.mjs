// Runs a sweep once with the built lab. Prints the seconds from the end of its trial run, and the seconds of
// its second half.
import { readSweep, runShard } from '@coinlab/lab';

const { file, folder, workers } = JSON.parse(process.argv[2]);
const sweep = readSweep(file);
if (!sweep.ok) throw new Error(JSON.stringify(sweep.error));
let began = 0;
let half = 0;
const { failed } = await runShard(sweep.value, {
  folder,
  workers,
  onCost() {
    began = performance.now();
    return true;
  },
  onProgress(done, total) {
    if (half === 0 && done >= total / 2) half = performance.now();
  },
});
if (failed > 0) throw new Error(`${failed} runs of the sweep failed`);
const now = performance.now();
process.stdout.write(JSON.stringify({ whole: (now - began) / 1000, secondHalf: (now - half) / 1000 }));
