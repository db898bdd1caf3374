import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * Prints what PIT found: every mutant that no test killed, and how many were killed, by package and in all.
 *
 * <p>Run by the profile {@code mutate} of policies. Arguments: PIT's {@code mutations.xml}, and the percentage of
 * mutants that must be killed.
 */
final class Mutants {
    private record Mutant(String type, String method, int line, String mutator, String description, boolean killed) {
        static Mutant of(Element element) {
            String type = text(element, "mutatedClass");
            String mutator = text(element, "mutator");
            return new Mutant(
                    type,
                    text(element, "mutatedMethod"),
                    Integer.parseInt(text(element, "lineNumber")),
                    mutator.substring(mutator.lastIndexOf('.') + 1),
                    text(element, "description").replaceFirst(" for dev/holdfast/.*", ""),
                    Boolean.parseBoolean(element.getAttribute("detected")));
        }

        String pack() {
            return type.substring(0, type.lastIndexOf('.'));
        }

        @Override
        public String toString() {
            return "%s.%s:%d %s: %s".formatted(type, method, line, mutator, description);
        }

        private static String text(Element element, String name) {
            return element.getElementsByTagName(name).item(0).getTextContent();
        }
    }

    private Mutants() {}

    static void main(String... args) throws IOException, ParserConfigurationException, SAXException {
        List<Mutant> mutants = read(Path.of(args[0]));
        int wanted = Integer.parseInt(args[1]);
        mutants.stream()
                .filter(mutant -> !mutant.killed())
                .sorted(Comparator.comparing(Mutant::type).thenComparing(Mutant::line))
                .forEach(mutant -> System.out.println("survived: " + mutant));
        Map<String, List<Mutant>> packages =
                mutants.stream().collect(Collectors.groupingBy(Mutant::pack, TreeMap::new, Collectors.toList()));
        packages.forEach(Mutants::print);
        print("all", mutants);
        if (killed(mutants) * 100 < (long) wanted * mutants.size()) {
            System.err.printf("[ERROR] Fewer than %d %% of the mutants were killed: test what survived%n", wanted);
            System.exit(1);
        }
    }

    private static List<Mutant> read(Path report) throws IOException, ParserConfigurationException, SAXException {
        NodeList elements = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(report.toFile())
                .getElementsByTagName("mutation");
        List<Mutant> mutants = new ArrayList<>();
        for (int i = 0; i < elements.getLength(); i++) {
            mutants.add(Mutant.of((Element) elements.item(i)));
        }
        return mutants;
    }

    private static void print(String of, List<Mutant> mutants) {
        System.out.printf(
                "%-32s %5d of %5d killed, %5.1f %%%n",
                of, killed(mutants), mutants.size(), 100.0 * killed(mutants) / mutants.size());
    }

    private static long killed(List<Mutant> mutants) {
        return mutants.stream().filter(Mutant::killed).count();
    }
}
