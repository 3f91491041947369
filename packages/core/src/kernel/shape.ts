/**
 * Shapes: one description of a type, with which it is read from JSON, written and hashed. `record`, `list`, `nullable` and the
 * others are combined; reading reports every malformed field by name.
 * @module
 */
export {
  checkPart,
  readPart,
  refDigits,
  type FrequentForms,
  type Json,
  type Make,
  type PrintRef,
  type Shape,
} from './shape/form.js';
export {
  amount,
  bool,
  contractId,
  duration,
  instant,
  integer,
  oneOf,
  party,
  phrase,
  round,
  text,
} from './shape/single.js';
export { jsonObject, list, mapOf, nullable, optional, record, tagged, type Fields } from './shape/compound.js';
