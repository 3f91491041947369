import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSweep, shardFrom } from '@coinlab/lab';
import { describeFault } from '@coinlab/sim';
import { readDocument } from '@coinlab/sim/files';
import { describe, expect, it } from 'vitest';

const folder = join(import.meta.dirname, '../../packages/lab/examples');

describe('the sweep example', () => {
  it.each([
    ['thresholds.yaml', 8, 3],
    ['sensitivity.yaml', 30, 1],
  ])('%s is a valid sweep', (name, points, replicates) => {
    const read = readSweep(join(folder, name));
    if (!read.ok) throw new Error(read.error.map(describeFault).join('\n'));
    expect(read.value.points).toHaveLength(points);
    expect(read.value.definition.replicates).toBe(replicates);
  });

  it('for Slurm is a shell script whose tasks cover all shards', () => {
    const file = join(folder, 'sweep.sbatch');
    expect(spawnSync('bash', ['-n', file], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
    const text = readFileSync(file, 'utf8');
    const [, first, last] = /^#SBATCH --array=(\d+)-(\d+)$/m.exec(text) ?? [];
    const [, shards = ''] = /^export COINLAB_SHARDS=(\d+)$/m.exec(text) ?? [];
    expect([first, last]).toEqual(['1', shards]);
    for (let task = 1; task <= Number(shards); task++)
      expect(shardFrom({ SLURM_ARRAY_TASK_ID: `${task}`, COINLAB_SHARDS: shards })).toEqual({
        index: task,
        of: Number(shards),
      });
    // Slurm ignores directives after the first command.
    expect(text.lastIndexOf('#SBATCH')).toBeLessThan(text.indexOf('\nset '));
  });

  it('for Kubernetes is an indexed job whose pods cover all shards', () => {
    const read = readDocument(join(folder, 'indexed-job.yaml'));
    if (!read.ok) return expect.unreachable();
    expect(read.value.value).toMatchObject({
      apiVersion: 'batch/v1',
      kind: 'Job',
      spec: {
        completions: 8,
        completionMode: 'Indexed',
        template: {
          spec: {
            // Jobs do not allow restartPolicy Always.
            restartPolicy: 'Never',
            containers: [{ env: [{ name: 'COINLAB_SHARDS', value: '8' }] }],
          },
        },
      },
    });
    expect(shardFrom({ JOB_COMPLETION_INDEX: '7', COINLAB_SHARDS: '8' })).toEqual({ index: 8, of: 8 });
  });
});
