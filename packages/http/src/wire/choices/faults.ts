import type { Rejection } from '@coinlab/core';
import type { Fault } from './daml.js';

export class MalformedCommand extends Error {
  readonly fault: Fault;

  constructor(fault: Fault) {
    super(`${fault.field}: got ${fault.value}, expected ${fault.expected}`);
    this.fault = fault;
  }
}

export class RefusedCommand extends Error {
  readonly rejection: Rejection;

  constructor(rejection: Rejection) {
    super(rejection.code);
    this.rejection = rejection;
  }
}
