import fc from "fast-check";

/**
 * Gives every property test the same cases in every run, so that a red build is the fault of the change in it.
 *
 * `COPPICE_PROPERTY_SEED` takes another seed, to look for new cases: any 32-bit integer.
 */
const seed = Number(process.env.COPPICE_PROPERTY_SEED ?? 20_261_130);
if (!Number.isInteger(seed)) throw new Error("COPPICE_PROPERTY_SEED must be an integer.");
fc.configureGlobal({ seed });
