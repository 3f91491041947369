import type { ValueDetail } from '../kernel/decision.js';
import { amount, type Fields } from '../kernel/shape.js';

/** The fields that every update's detail begins with. */
export const valueDetail: Fields<ValueDetail> = { minted: amount, burned: amount };
