// The present setting, told to the dial whose frames are in the browser already.

export default function ({ data }) {
  const dials = (window.epsilonDials ??= new Map());
  dials.set(`${data.dial} now`, data);
  const dial = dials.get(data.dial);
  dial?.tried(() => dial.tell(data));
}
