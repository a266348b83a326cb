import type { StreamFunction } from "./provider.ts";

/** Stands between the caller of a model and the model: sees the request, may change it, repeat it or the events. */
export type StreamMiddleware = (next: StreamFunction) => StreamFunction;

/** One stream function out of several layers; the first is the outermost. */
export function composeMiddleware(
  layers: readonly StreamMiddleware[],
  innermost: StreamFunction,
): StreamFunction {
  return layers.reduceRight((next, layer) => layer(next), innermost);
}
