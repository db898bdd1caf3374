package dev.holdfast.operator.cli.options;

import dev.holdfast.operator.offline.check.form.CheckOutput;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that say whether a command goes on with the changes of a live cluster. */
public final class WatchOption {
    /** The options that make no sense in a watch, and why. */
    private static final Map<String, String> WITHOUT_MEANING = new TreeMap<>(Map.of(
            "--group-by", "changes come one by one",
            "--sort-by", "changes come in the order of time",
            "--fail-on", "a watch has no end, so it has no result",
            "--soft", "a watch follows required rules alone"));

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // picocli fills it in before anything is run
    private CommandSpec spec;

    @Option(
            names = {"-w", "--watch"},
            description = "After the list, print each violation of the live cluster that begins, becomes due or ends,"
                    + " until Ctrl-C.")
    private boolean watch;

    @Option(names = "--watch-only", description = "As --watch, without the list before it.")
    private boolean watchOnly;

    /** {@return whether the user wants changes} */
    public boolean isGiven() {
        return watch || watchOnly;
    }

    /** {@return whether the user also wants the violations that are there at the start} */
    public boolean beginsWithList() {
        return !watchOnly;
    }

    /** Refuses other options of the command line that make no sense in a watch. */
    public void refuseOthers(CheckOutput output, boolean readsFiles) {
        String own = watch ? "--watch" : "--watch-only";
        if (readsFiles) {
            throw new ParameterException(
                    spec.commandLine(), "give either " + own + " or --filename, not both: files do not change");
        }
        WITHOUT_MEANING.forEach((other, why) -> {
            if (spec.commandLine().getParseResult().hasMatchedOption(other)) {
                throw new ParameterException(
                        spec.commandLine(), "give either " + own + " or " + other + ", not both: " + why);
            }
        });
        if (output == CheckOutput.SUMMARY) {
            throw new ParameterException(
                    spec.commandLine(),
                    "give either " + own + " or --output=summary, not both: changes come one by one; use"
                            + " --output=table, wide, json, yaml or name");
        }
    }
}
