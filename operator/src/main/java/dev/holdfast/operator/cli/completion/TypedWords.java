package dev.holdfast.operator.cli.completion;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.StreamSupport;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * A command line that is being typed.
 *
 * @param before the whole words, without the program
 * @param last the word that is being typed; may be empty
 * @param program the program with all commands
 */
record TypedWords(List<String> before, String last, CommandSpec program) {
    private static final String EXPLAIN = "explain";
    private static final Set<String> PODS = Set.of("po", "pod", "pods");
    private static final Set<String> NODES = Set.of("no", "node", "nodes");

    /** How help calls the names of files and folders. */
    private static final Set<String> FILES = Set.of("FILE", "DIR");

    /** What options take, by their names. */
    private static final Map<String, WantedNames> OF_OPTIONS = Map.of(
            "--namespace", new WantedNames(false, WantedNames.Kind.NAMESPACE),
            "--operator-namespace", new WantedNames(false, WantedNames.Kind.NAMESPACE),
            "--cordon", new WantedNames(false, WantedNames.Kind.NODE),
            "--drain", new WantedNames(false, WantedNames.Kind.NODE),
            "--fail-node", new WantedNames(false, WantedNames.Kind.NODE),
            "--remove-node", new WantedNames(false, WantedNames.Kind.NODE),
            "--label", new WantedNames(true, WantedNames.Kind.NODE),
            "--delete", new WantedNames(true, WantedNames.Kind.POD),
            "--enforce", new WantedNames(false, WantedNames.Kind.POLICY),
            "--acknowledge", new WantedNames(false, WantedNames.Kind.POLICY));

    static TypedWords of(List<String> words, CommandSpec program) {
        if (words.isEmpty()) {
            return new TypedWords(List.of(), "", program);
        }
        List<String> before = new ArrayList<>(words.subList(0, words.size() - 1));
        String last = words.getLast();
        int equals = last.indexOf('=');
        if (last.startsWith("--") && equals > 0) {
            // The value alone is completed, as shells expect it.
            before.add(last.substring(0, equals));
            last = last.substring(equals + 1);
        }
        return new TypedWords(List.copyOf(before), last, program);
    }

    /** {@return the words that begin like the last one} */
    List<String> among(Collection<String> candidates) {
        return candidates.stream()
                .filter(word -> word.startsWith(last))
                .distinct()
                .sorted()
                .toList();
    }

    /** {@return the commands, options and values that the program knows without a cluster} */
    List<String> known() {
        Optional<CommandLine> command = command();
        if (before.isEmpty()) {
            return program.subcommands().entrySet().stream()
                    .filter(entry ->
                            !entry.getValue().getCommandSpec().usageMessage().hidden())
                    .map(Map.Entry::getKey)
                    .toList();
        }
        if (optionBefore().isPresent()) {
            return optionBefore().map(TypedWords::values).orElse(List.of());
        }
        return last.startsWith("-") && command.isPresent()
                ? command.get().getCommandSpec().options().stream()
                        .filter(option -> !option.hidden())
                        .flatMap(option -> Arrays.stream(option.names()))
                        .toList()
                : List.of();
    }

    private static List<String> values(OptionSpec option) {
        return option.completionCandidates() == null
                ? List.of()
                : StreamSupport.stream(option.completionCandidates().spliterator(), false)
                        // Help and pages write the constants of enums so.
                        .map(value -> option.type().isEnum() ? value.toLowerCase(Locale.ROOT) : value)
                        .toList();
    }

    private Optional<CommandLine> command() {
        return before.stream()
                .findFirst()
                .flatMap(name -> Optional.ofNullable(program.subcommands().get(name)));
    }

    /** {@return the option whose value is being typed} */
    private Optional<OptionSpec> optionBefore() {
        return before.isEmpty() ? Optional.empty() : option(before.getLast());
    }

    /** {@return the option of this name that takes a value} */
    private Optional<OptionSpec> option(String name) {
        return command()
                .flatMap(command -> Optional.ofNullable(
                        command.getCommandSpec().optionsMap().get(name)))
                .filter(option -> option.arity().max() > 0);
    }

    /** {@return which objects the last word may name; empty if it names none} */
    Optional<WantedNames> wanted() {
        if (optionBefore().isPresent()) {
            return optionBefore().flatMap(option -> Optional.ofNullable(OF_OPTIONS.get(option.longestName())));
        }
        boolean explains = before.stream().findFirst().filter(EXPLAIN::equals).isPresent();
        if (!explains || last.startsWith("-")) {
            return Optional.empty();
        }
        List<String> arguments = arguments();
        if (arguments.isEmpty()) {
            return Optional.of(
                    new WantedNames(true, last.startsWith("node") ? WantedNames.Kind.NODE : WantedNames.Kind.POD));
        }
        Optional<WantedNames.Kind> kind = PODS.contains(arguments.getFirst())
                ? Optional.of(WantedNames.Kind.POD)
                : Optional.of(WantedNames.Kind.NODE).filter(_ -> NODES.contains(arguments.getFirst()));
        return kind.filter(_ -> arguments.size() == 1).map(it -> new WantedNames(false, it));
    }

    /** {@return the whole words after the command that are neither options nor their values} */
    private List<String> arguments() {
        List<String> arguments = new ArrayList<>();
        for (int i = 1; i < before.size(); i++) {
            if (!before.get(i).startsWith("-") && option(before.get(i - 1)).isEmpty()) {
                arguments.add(before.get(i));
            }
        }
        return arguments;
    }

    /** {@return whether an option takes the name of a file} */
    static boolean takesFile(OptionSpec option) {
        return FILES.contains(option.paramLabel());
    }

    /** {@return whether the last word may be the name of a file} */
    boolean mayBeFile() {
        if (optionBefore().isPresent()) {
            return optionBefore().filter(TypedWords::takesFile).isPresent();
        }
        return !last.startsWith("-")
                && command().stream()
                        .flatMap(it -> it.getCommandSpec().positionalParameters().stream())
                        .anyMatch(it -> FILES.contains(it.paramLabel()));
    }

    /** {@return the values that were typed for an option, in order} */
    List<String> values(String option) {
        List<String> values = new ArrayList<>();
        for (int i = 0; i < before.size(); i++) {
            String word = before.get(i);
            int equals = word.indexOf('=');
            if (equals > 0 && isOption(option, word.substring(0, equals))) {
                values.add(word.substring(equals + 1));
            } else if (isOption(option, word) && i + 1 < before.size()) {
                values.add(before.get(i + 1));
            }
        }
        return values;
    }

    private boolean isOption(String option, String word) {
        return option(word).filter(it -> it.longestName().equals(option)).isPresent();
    }
}
