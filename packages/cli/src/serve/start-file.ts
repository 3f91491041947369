import { parseStart, type BadStart, type Start, type FieldFault, type StartInput } from '@coinlab/http';
import { describeFault } from '@coinlab/sim';
import { readDocument } from '@coinlab/sim/files';
import { BadInput } from '../exit-code.js';

export interface StartFile {
  readonly value: Start;
  readonly input: StartInput;
  refuse(error: BadStart): never;
}

export function readStart(file: string): StartFile {
  const read = readDocument(file);
  if (!read.ok) throw new BadInput(read.error.map(describeFault).join('\n'));
  const { value: input, faultAt } = read.value;
  const refuse = (faults: readonly FieldFault[]): never => {
    throw new BadInput(faults.map((fault) => describeFault(faultAt(fault))).join('\n'));
  };
  const parsed = parseStart(input);
  if (!parsed.ok) return refuse(parsed.faults);
  // Cast: the check above accepted it.
  return { value: parsed.value, input: input as StartInput, refuse: ({ fields }) => refuse(fields) };
}
