/**
 * The entry point of the Train page: constructs its parts in dependency order and starts.
 *
 *     form, address → loader → run ← player ← the server's stream, or this browser's own kernel
 *                                    ↓
 *                     screen → its parts: network, plane, curve, tables, …
 */
import { at, data, find, on } from "../common/elements.js";
import { PagePort } from "../common/page-port.js";
import { offerReload } from "../common/update-notice.js";
import { Boundary } from "./draw/boundary.js";
import { Chart } from "./draw/chart.js";
import { onColours, palette } from "./draw/colours.js";
import { LayerSizes } from "./draw/layer-sizes.js";
import { Links } from "./draw/links.js";
import { Network } from "./draw/network.js";
import { Screen } from "./draw/screen.js";
import { Ailment } from "./panels/ailment.js";
import { wireAtLarge } from "./panels/at-large.js";
import { Changes } from "./panels/changes.js";
import { Code } from "./panels/code.js";
import { Curve } from "./panels/curve.js";
import { Features } from "./panels/features.js";
import { Form } from "./panels/form.js";
import { HandOver } from "./panels/hand-over.js";
import { Inspector } from "./panels/inspector.js";
import { Landscape } from "./panels/landscape.js";
import { Instead } from "./panels/instead.js";
import { Knobs } from "./panels/knobs.js";
import { Mistakes } from "./panels/mistakes.js";
import { Notice } from "./panels/notice.js";
import { Picks } from "./panels/picks.js";
import { Pins } from "./panels/pins.js";
import { Plane } from "./panels/plane.js";
import { wireRowsFile } from "./panels/rows-file.js";
import { PlotView } from "./panels/plot-view.js";
import { Presets } from "./panels/presets.js";
import { ProblemType } from "./panels/problem-type.js";
import { NetworkPointer, PlanePointer } from "./panels/pointer.js";
import { RaceLink } from "./panels/race-link.js";
import { Reading, isOpen } from "./panels/reading.js";
import { wireSharing } from "./panels/sharing.js";
import { Sight } from "./panels/sight.js";
import { SliderMarks } from "./panels/slider-marks.js";
import { SlowMotion } from "./panels/slow-motion.js";
import { Space } from "./panels/space.js";
import { Stats } from "./panels/stats.js";
import { StepCheck } from "./panels/step-check.js";
import { SweepDialog } from "./panels/sweep.js";
import { Tip } from "./panels/tip.js";
import { Transport } from "./panels/transport.js";
import { wireWeightsFile } from "./panels/weights-file.js";
import { WeightEdits } from "./panels/weight-edits.js";
import { PageAddress, partsOf } from "./run/address.js";
import { logOf, snapshotOf } from "./run/decode.js";
import { Draft, stepLeft } from "./run/draft.js";
import { Loader } from "./run/loader.js";
import { Player, recall } from "./run/player.js";
import { Run } from "./run/run.js";
import { watch } from "./run/server.js";

// --- the run and its settings -----------------------------------------------------------------

const colours = palette();
wireAtLarge();
const player = new Player();
const screen = new Screen(player, colours);
const address = new PageAddress(player);
const form = new Form(find("spec", "form"));
const draft = new Draft(form, player, address);
const notice = new Notice(player, form);
watch((words) => notice.report(words), () => offerReload(() => address.write()));

// --- the network ------------------------------------------------------------------------------

const features = new Features(form);
const network = new Network(at("network"), colours, features);
const links = new Links(network);
const layerSizes = new LayerSizes(network, form);
network.onLayout = () => {
  links.build();
  layerSizes.place();
  slowMotion.repaint();
  screen.repaint();
};
const edits = new WeightEdits(screen, draft, address);
const changes = new Changes(screen, form, draft, address);
const inspector = new Inspector(at("inspector"), colours, player, network, (parameter, value) => edits.edit(parameter, value));
const handOver = new HandOver(player);

// --- the results ------------------------------------------------------------------------------

const pins = new Pins(at("pins"), colours.runs);
const chart = new Chart(at("loss"), colours, (step) => player.go(step));
const curve = new Curve(player, chart, pins, address, notice);
const mistakes = new Mistakes(player, form, pins, address, notice);
const boundary = new Boundary(find("boundary", "canvas"), find("points", "canvas"), colours);
network.isDue = (neuron) => !player.playing || player.speed.fps <= 30 || neuron === boundary.neuron;
const plane = new Plane(player, boundary, form);
const picks = new Picks(player, plane, address);
const slowMotion = new SlowMotion(screen, network, links, notice, plane, address);
picks.onOpen = (sample) => slowMotion.choose(sample);
const reading = new Reading(colours, boundary, (sample) => picks.linkTo(sample));
const space = new Space(player, address);
const stepCheck = new StepCheck(player, address);
const landscape = new Landscape(player, address, () => pins.own.map(({ query }) => query));
const tip = new Tip(at("tip"), colours);
const pointed = new Tip(at("pointed"), colours, true);

// --- navigation between runs and steps --------------------------------------------------------

const transport = new Transport(player, address, slowMotion);
const loader = new Loader(form, screen, address, notice, mistakes);
const port = new PagePort({
  turn: () => loader.turn(),
  fixed: ["hide", "pin", "plane", "space", "check", "scale", "smooth", "right", "speed", "flat", "tests", "tab"],
  step: (way) => (way === "back" ? transport.moves.back() : transport.moves.step()),
});
address.onTurn = (link) => port.tell("turn", link);
loader.onReturn = () => slowMotion.turn(partsOf(location.search).phase);
const instead = new Instead((query) => loader.start(query));
loader.onAnew = (before, step, changes) => instead.offer(before, step, changes);
handOver.onTaken = (run, own) => loader.neighbours.gather(run, own);
layerSizes.canTrain = (layers) => !notice.isAway || loader.neighbours.has(player.run, layers);
loader.neighbours.onFetch = notice.onProblem = () => layerSizes.place();
for (const event of ["online", "offline"]) window.addEventListener(event, () => layerSizes.place());
loader.live = (news, signal) => changes.live(news, signal);
changes.onLive = (before, news) => instead.offerRestart(before, news);
const ailment = new Ailment(player, curve, loader);
reading.onVerdicts = (list) => ailment.show(list);
new SweepDialog(() => player.run && { query: player.run.setup.query, steps: player.run.setup.steps, seed: player.run.setup.spec.seed, colour: screen.palette.data, isEdited: player.run.edits.length > 0 });
wireSharing(address);
wireRowsFile(form);
wireWeightsFile(form, (query) => loader.open(query));

/** Fetch states of past steps for the history charts. */
async function remember() {
  if (await recall(player)) screen.settle();
}

new PlanePointer(player, plane, picks, tip);
new NetworkPointer(player, network, links, pointed, plane, (neuron, input) => {
  if (slowMotion.pick(neuron)) return;
  inspector.open(neuron, input);
  remember();
});
for (const id of ["predictions", "norms", "histograms", "losses", "code", "exports"]) on(id, "toggle", () => screen.settle());
on("norms", "toggle", remember);

screen.add(form, new Knobs(form), features, layerSizes, new PlotView(boundary, address), handOver, edits, changes, network, links, plane, curve, new Stats(), new Presets((query) => loader.open(query)), new ProblemType(), slowMotion, transport, new SliderMarks(), instead, reading, new Code(), new RaceLink(pins), ailment, picks, inspector, stepCheck, landscape, space, tip, pointed, address);
screen.add(new Sight(player, { numbers: [() => inspector.isOpen, () => pointed.isOpen, () => isOpen("norms")], activations: [() => isOpen("histograms")] }));
onColours(() => screen.recolour(palette()));

// --- start ------------------------------------------------------------------------------------

/** Show the run embedded in the page, at the step at which this tab left it. */
async function showFirst() {
  const [setup, answer] = [data("setup"), data("state")];
  if (!setup) return; // the address is invalid
  const run = new Run(setup);
  const log = answer && logOf(answer);
  if (log) run.losses.add(log);
  await screen.show(run, address.start.step, answer && snapshotOf(answer));
  const step = stepLeft();
  if (step !== null && step !== player.at) player.go(step);
}

async function begin() {
  await showFirst();
  draft.restore();
  slowMotion.restore(address.start.phase);
  document.documentElement.dataset.ready = "true";
  for (const query of address.start.pins) await curve.pin(query);
  mistakes.compare();
}

begin();

/** For tests: the state shown, with exact numbers, and where it is trained. */
export { handOver, player };
