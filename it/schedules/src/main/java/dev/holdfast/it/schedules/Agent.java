package dev.holdfast.it.schedules;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.pastalab.fray.instrumentation.base.ApplicationCodeTransformer;

/**
 * Java agent that instruments classes for Fray as they are loaded. In the project's own classes, each access to a field
 * becomes a point where another thread may go on; in libraries, only locks and volatile fields do.
 *
 * <p>Fray's own agent leaves plain fields out everywhere, and a race on plain fields is what it then cannot find.
 */
public final class Agent {
    private Agent() {}

    /** Called by the JVM before the main class. */
    public static void premain(@Nullable String arguments, Instrumentation instrumentation) {
        instrumentation.addTransformer(new OwnFieldsToo());
    }

    private static final class OwnFieldsToo implements ClassFileTransformer {
        private final ApplicationCodeTransformer own = new ApplicationCodeTransformer(true, List.of());
        private final ApplicationCodeTransformer libraries = new ApplicationCodeTransformer(false, List.of());

        @Override
        public byte @Nullable [] transform(
                @Nullable ClassLoader loader,
                String className,
                @Nullable Class<?> redefined,
                @Nullable ProtectionDomain domain,
                byte[] bytes) {
            ApplicationCodeTransformer transformer = className.startsWith("dev/holdfast/") ? own : libraries;
            return transformer.transform(loader, className, redefined, domain, bytes);
        }
    }
}
