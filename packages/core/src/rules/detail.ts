import type { ValueDetail } from '../kernel/decision.js';
import { amount, type Fields } from '../kernel/shape.js';

export const valueDetail: Fields<ValueDetail> = { minted: amount, burned: amount };
