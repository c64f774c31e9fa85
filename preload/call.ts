/** A call between a page and main: what it takes, what it gives. It is there for the compiler alone: nothing of it exists while Tilelift runs. */
export interface Call<Input, Output> {
  readonly input: Input;
  readonly output: Output;
}

export function call<Input, Output>(): Call<Input, Output> {
  return {} as Call<Input, Output>;
}
