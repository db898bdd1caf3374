package dev.holdfast.operator.offline.report;

import dev.holdfast.operator.config.OperatorConfig;
import dev.holdfast.operator.offline.dump.Dump;
import dev.holdfast.operator.offline.dump.DumpException;
import dev.holdfast.operator.offline.dump.DumpFile;
import dev.holdfast.operator.offline.dump.DumpReader;
import dev.holdfast.operator.offline.dump.DumpedPolicies;
import dev.holdfast.operator.offline.simulate.Change;
import dev.holdfast.operator.offline.simulate.SimulationInput;
import dev.holdfast.operator.offline.simulate.object.Assumptions;
import dev.holdfast.operator.offline.whatif.WhatIf;
import dev.holdfast.operator.offline.whatif.WhatIfReport;
import dev.holdfast.operator.translate.PolicyTranslator;
import dev.holdfast.policies.rule.Mode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A change of the sample of the repository, whose policy enforces: node-2 loses its label disk. */
public record PlayedSample(WhatIfReport report, ChangePicture picture) {
    private static final Path SAMPLES = Path.of("..", "docs", "samples");

    /** {@return what follows within two hours} */
    public static PlayedSample play() throws DumpException, WhatIf.ImpossibleChangeException {
        return play(new Change.LabelNodes(
                "node-2", new Change.Selection.Named("node-2"), Map.of("disk", Optional.empty())));
    }

    /** {@return what follows within two hours from other changes} */
    static PlayedSample play(Change... changes) throws DumpException, WhatIf.ImpossibleChangeException {
        List<DumpFile> files = new ArrayList<>();
        for (String name : List.of("shop.yaml", "keep.yaml")) {
            files.add(new DumpFile(name, () -> Files.newInputStream(SAMPLES.resolve(name))));
        }
        Dump dump = new DumpReader(_ -> {}).read(files);
        OperatorConfig config = OperatorConfig.defaults();
        WhatIf whatIf = new WhatIf(
                config.engineSettings(),
                Mode.ENFORCE,
                Assumptions.defaults(),
                dump.start(Instant.parse("2026-11-20T12:00:00Z")),
                Duration.ofHours(2),
                false);
        PlayedChange played = new PlayedChange();
        WhatIfReport report = whatIf.report(
                new SimulationInput(
                        dump.objects(),
                        new DumpedPolicies(new PolicyTranslator(config.defaultForgiveness()))
                                .translate(dump.policies()),
                        List.of()),
                List.of(changes),
                _ -> {},
                played);
        return new PlayedSample(report, played.picture());
    }
}
