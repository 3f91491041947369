import { useSignal, useSignalEffect, type Signal } from '@preact/signals';
import { param, setParams } from './route.js';

const ADDRESS_AFTER_MILLIS = 150;

export function useParam(name: string): Signal<string> {
  const value = useSignal(param(name) ?? '');
  useSignalEffect(() => {
    const wanted = value.value;
    const timer = setTimeout(() => setParams({ [name]: wanted }), ADDRESS_AFTER_MILLIS);
    return () => clearTimeout(timer);
  });
  return value;
}
