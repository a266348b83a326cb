/** What is made when it is first asked for: patterns of Unicode take milliseconds that no start of a program has. */
export function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
