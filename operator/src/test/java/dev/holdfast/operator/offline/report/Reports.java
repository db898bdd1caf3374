package dev.holdfast.operator.offline.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.operator.offline.check.CheckReport;
import dev.holdfast.operator.offline.check.CheckedCluster;
import dev.holdfast.operator.offline.check.PendingPods;
import dev.holdfast.operator.offline.dump.Dump;
import dev.holdfast.operator.offline.dump.DumpException;
import dev.holdfast.operator.offline.dump.DumpFile;
import dev.holdfast.operator.offline.dump.DumpReader;
import dev.holdfast.operator.offline.dump.ReadCluster;
import dev.holdfast.policies.rule.Mode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/** Reports about clusters that are written as YAML, without policies. */
public final class Reports {
    /** A map for forms that draw none. */
    public static final ClusterMap NO_MAP = new ClusterMap(List.of());

    private static final Path SAMPLE = Path.of("..", "docs", "samples", "shop.yaml");

    private Reports() {}

    /** {@return the report about the sample of the repository} */
    public static ClusterReport ofSample() throws IOException, DumpException {
        return drawingOfSample().report();
    }

    /** {@return the report about the sample of the repository, with its map} */
    public static Drawing drawingOfSample() throws IOException, DumpException {
        return drawing("shop.yaml", Files.readString(SAMPLE), 500);
    }

    /** {@return the report about a cluster, of which all affected pods are explained} */
    public static ClusterReport of(String yaml) throws DumpException {
        return of("", yaml, Integer.MAX_VALUE);
    }

    /** {@return the report about a cluster of which some affected pods are explained} */
    public static ClusterReport of(String source, String yaml, int mostExplained) throws DumpException {
        return drawing(source, yaml, mostExplained).report();
    }

    /** {@return the report about a cluster with its map} */
    public static Drawing drawing(String source, String yaml, int mostExplained) throws DumpException {
        DumpFile file =
                new DumpFile("cluster.yaml", () -> (InputStream) new ByteArrayInputStream(yaml.getBytes(UTF_8)));
        Dump dump = new DumpReader(_ -> {}).read(List.of(file));
        ReadCluster read = new ReadCluster(dump, List.of(), List.of(), List.of());
        CheckedCluster cluster = CheckedCluster.of(read, Set.of());
        CheckReport found = cluster.report(_ -> true).withPending(PendingPods.of(cluster, _ -> true));
        ReportBuilder builder = new ReportBuilder(read, cluster, found, _ -> true);
        return new Drawing(builder.report("Holdfast report", source, mostExplained, Mode.ENFORCE), builder.map());
    }
}
