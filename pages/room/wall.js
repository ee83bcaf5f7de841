// How high the window of a projector is, told to the server in steps, so that pictures are drawn to fit.

const STEP = 20;

export default function ({ setStateValue }) {
  let told = 0;
  const tell = () => {
    const height = STEP * Math.round(window.innerHeight / STEP);
    if (height === told) return;
    told = height;
    setStateValue("height", height);
  };
  tell();
  window.addEventListener("resize", tell);
  return () => window.removeEventListener("resize", tell);
}
