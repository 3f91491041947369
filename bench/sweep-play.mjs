// Plays a sweep once, with the lab as it is built, and prints the seconds that it took from its trial on.
import { readSweep, runShard } from '@coinlab/lab';

const { file, folder, workers } = JSON.parse(process.argv[2]);
const sweep = readSweep(file);
if (!sweep.ok) throw new Error(JSON.stringify(sweep.error));
let began = 0;
const { failed } = await runShard(sweep.value, {
  folder,
  workers,
  onCost() {
    began = performance.now();
    return true;
  },
});
if (failed > 0) throw new Error(`${failed} runs of the sweep failed`);
process.stdout.write(String((performance.now() - began) / 1000));
