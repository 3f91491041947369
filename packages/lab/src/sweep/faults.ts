import type { FieldFault } from '@coinlab/sim';
import { MOST_POINTS, pointCount, type Settings } from './design.js';
import { MOST_SOBOL_PARAMETERS } from './designs/sobol.js';
import { rangeFault } from './range.js';
import type { SweepFile } from './schema.js';
import { scenarioAt, settingsText, type Base, type Sweep } from './sweep.js';

export function definitionFaults(definition: SweepFile): readonly FieldFault[] {
  const { parameters, design } = definition;
  const names = parameters.map(({ name }) => name);
  const faults: FieldFault[] = [];
  parameters.forEach((parameter, i) => {
    if (names.indexOf(parameter.name) < i)
      faults.push({
        path: ['parameters', i, 'name'],
        reason: `got "${parameter.name}" twice, expected a name per parameter`,
      });
    const wrong = rangeFault(parameter, design.grid ? 'values' : design.list ? 'nothing' : 'range');
    if (wrong)
      faults.push({ path: ['parameters', i, ...(wrong.field === null ? [] : [wrong.field])], reason: wrong.reason });
  });
  design.list?.forEach((settings, i) => {
    for (const name of Object.keys(settings))
      if (!names.includes(name))
        faults.push({
          path: ['design', 'list', i, name],
          reason: `got "${name}", expected one of the parameters ${names.join(', ')}`,
        });
  });
  if (design.sobol && parameters.length > MOST_SOBOL_PARAMETERS)
    faults.push({
      path: ['parameters'],
      reason: `got ${parameters.length} parameters, expected at most ${MOST_SOBOL_PARAMETERS} for a Sobol design; screen them with a Morris design first`,
    });
  const points = pointCount(definition);
  if (points > MOST_POINTS)
    faults.push({ path: ['design'], reason: `got ${points} points, expected at most ${MOST_POINTS}` });
  return faults;
}

const TRIED = 2_000;
const TOLD = 10;

export function pointFaults(
  definition: SweepFile,
  base: Base,
  targets: Sweep['targets'],
  points: readonly Settings[],
): readonly FieldFault[] {
  const faults = new Map<string, FieldFault>();
  const step = Math.max(1, Math.ceil(points.length / TRIED));
  for (const [point, settings] of points.entries()) {
    if (faults.size >= TOLD) break;
    if (point % step !== 0) continue;
    const scenario = scenarioAt({ base, targets }, settings);
    const first = scenario.ok ? undefined : scenario.error[0];
    if (!first) continue;
    const parameter = blamed(targets, first);
    const told = `${first.path.map(String).join('.')}: ${first.reason}`;
    if (faults.has(`${parameter} ${told}`)) continue;
    faults.set(`${parameter} ${told}`, {
      path: placeOf(definition, point, parameter),
      reason: `at point ${point + 1} (${settingsText(definition, settings)}) ${told}`,
    });
  }
  return [...faults.values()];
}

function placeOf({ design, parameters }: SweepFile, point: number, parameter: number): readonly PropertyKey[] {
  const name = parameters[parameter]?.name ?? '';
  if (!design.list) return ['parameters', parameter];
  return design.list[point]?.[name] === undefined ? ['design', 'list', point] : ['design', 'list', point, name];
}

function blamed(targets: Sweep['targets'], { path, reason }: FieldFault): number {
  const scores = targets.map((fields) =>
    Math.max(
      ...fields.map((field) => {
        const differs = field.findIndex((segment, i) => segment !== path[i]);
        const shared = differs < 0 ? field.length : differs;
        return shared + (reason.includes(`"${field[shared]}"`) ? 0.5 : 0);
      }),
    ),
  );
  return scores.indexOf(Math.max(...scores));
}
