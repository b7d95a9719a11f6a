interface Props {
  label: string;
  value: string;
  className?: string | undefined;
}

/** One entry of a list of facts. */
export function Fact({ label, value, className }: Props) {
  return (
    <div className={className}>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  );
}
