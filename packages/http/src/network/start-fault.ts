import { BadSettings } from '../config.js';
import type { FieldFault } from '../field-fault.js';

/** An invalid start. The faults name the fields by path. */
export class BadStart extends BadSettings {
  readonly fields: readonly FieldFault[];

  constructor(fields: readonly FieldFault[]) {
    super(fields.map(({ path, reason }) => `${['start', ...path].map(String).join('.')}: ${reason}`));
    this.fields = fields;
  }
}
