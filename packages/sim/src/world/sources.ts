import { drawnUnits, type Units } from '../chance/distributions.js';
import type { Streams } from '../chance/streams.js';
import { inputFrom, valuesOf, type ScenarioFiles } from '../scenario/files.js';
import { recordedPayments } from './recorded.js';
import { drawnPayments, type PaymentSource } from './payments.js';
import type { Population } from './population.js';

export function sourcesOf(population: Population, streams: Streams, files: ScenarioFiles): readonly PaymentSource[] {
  return population.groups.flatMap((members) => {
    const { payments } = members.group;
    if (!payments) return [];
    const { trace } = payments.arrivals;
    if (!trace) return [drawnPayments(payments, members, population, streams, valuesOf(payments.amount, files))];
    const input = inputFrom(files, trace.file, trace.unit);
    return [recordedPayments(input, trace, payments, members, population, streams)];
  });
}

export type Income = (round: number, receive: (number: number, amount: Units) => void) => void;

export function incomesOf(population: Population, streams: Streams, files: ScenarioFiles): readonly Income[] {
  return population.groups.flatMap(({ group: { income, name }, start, count }) => {
    if (!income) return [];
    const { every } = income;
    const draws = streams.ofEvents(`${name}/income`);
    const draw = drawnUnits(income.amount, draws, valuesOf(income.amount, files));
    return [
      (round: number, receive: (number: number, amount: Units) => void): void => {
        for (let member = 0; member < count; member++) {
          // Spread over the rounds, so that a group does not receive all at once.
          if ((round + member) % every !== 0) continue;
          draws.moveTo(member, Math.floor(round / every));
          receive(start + member, draw());
        }
      },
    ];
  });
}
