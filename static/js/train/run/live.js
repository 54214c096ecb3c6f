/** The settings that act from the step shown on when they are changed during playback. */
export const LIVE = new Set(["learning_rate", "optimizer", "batch", "momentum", "weight_decay", "l1", "l2", "dropout"]);
