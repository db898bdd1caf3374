package dev.holdfast.operator.offline.whatif;

import dev.holdfast.operator.offline.simulate.Displaced;
import dev.holdfast.operator.offline.simulate.Simulation;
import dev.holdfast.operator.offline.simulate.cluster.Waiting;
import dev.holdfast.policies.model.Pod;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** What became of pods by the end of a simulation: those that the changes removed or created, and those stuck. */
final class PodsAtEnd {
    private final Simulation simulation;

    PodsAtEnd(Simulation simulation) {
        this.simulation = simulation;
    }

    List<WhatIfReport.Displaced> displaced() {
        return simulation.displaced().stream().map(this::displaced).toList();
    }

    private WhatIfReport.Displaced displaced(Displaced displaced) {
        Optional<Pod> replacement = displaced.replacementUid().flatMap(simulation.cluster()::pod);
        return new WhatIfReport.Displaced(
                seconds(displaced.at()),
                displaced.pod().namespace(),
                displaced.pod().name().name(),
                displaced.pod().nodeName().orElse(""),
                replacement.map(pod -> pod.name().name()).orElse(""),
                replacement.flatMap(Pod::nodeName).orElse(""));
    }

    List<WhatIfReport.Created> created() {
        return simulation.created().stream()
                .map(pod -> new WhatIfReport.Created(
                        seconds(pod.life().creationTime()),
                        pod.namespace(),
                        pod.name().name(),
                        simulation
                                .cluster()
                                .pod(pod.uid())
                                .flatMap(Pod::nodeName)
                                .orElse("")))
                .toList();
    }

    List<WhatIfReport.Stuck> stuck() {
        List<WhatIfReport.Stuck> stuck = new ArrayList<>();
        simulation.undrained().forEach((pod, why) -> stuck.add(stuck(pod, why)));
        simulation.missing().forEach((pod, why) -> stuck.add(stuck(pod, why)));
        simulation.cluster().pods().stream()
                .filter(Waiting::isTrueOf)
                .forEach(pod -> stuck.add(stuck(pod, simulation.whyWaiting(pod).why())));
        stuck.sort(Comparator.comparing(WhatIfReport.Stuck::namespace).thenComparing(WhatIfReport.Stuck::pod));
        return stuck;
    }

    private static WhatIfReport.Stuck stuck(Pod pod, String why) {
        return new WhatIfReport.Stuck(
                pod.namespace(), pod.name().name(), pod.nodeName().orElse(""), why);
    }

    private long seconds(Instant at) {
        return Duration.between(simulation.start(), at).toSeconds();
    }
}
