import type { CommandType } from '@coinlab/core';
import { WORKFLOWS, type Shape } from '@coinlab/core/workflows';

const SHAPES: ReadonlyMap<string, Shape<unknown>> = new Map(
  Object.values(WORKFLOWS).flatMap(({ commands }) => Object.entries<Shape<unknown>>(commands)),
);

export function shapeOfCommand(type: CommandType): Shape<unknown> | null {
  return SHAPES.get(type) ?? null;
}
