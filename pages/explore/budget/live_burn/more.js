// Frames as the server has them ready: kept by the name of their picture; once a hand is near, more are asked for.

export default function ({ data, setTriggerValue }) {
  const all = (window.epsilonBurns ??= new Map());
  const frames = all.get(data.name) ?? {};
  Object.assign(frames, data.frames);
  if (!all.has(data.name)) all.clear();
  all.set(data.name, frames);
  const burn = window.epsilonBurn?.root.isConnected ? window.epsilonBurn : null; // not that of an earlier visit
  burn?.came(data.name);
  const have = Object.keys(frames).length;
  document.documentElement.dataset.burnFrames = have < data.total ? "some" : "all";
  window.epsilonBurnMore = () => {
    if (have < data.total) setTriggerValue("more", { have, near: window.epsilonBurn.near(), turn: `${Date.now()}-${Math.random()}` });
  };
  if (burn?.wanted) window.epsilonBurnMore();
}
