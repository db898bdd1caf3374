package dev.holdfast.it.schedules;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.pastalab.fray.instrumentation.agent.asm.ClassReader;
import org.pastalab.fray.instrumentation.agent.asm.ClassWriter;
import org.pastalab.fray.instrumentation.agent.asm.Opcodes;
import org.pastalab.fray.instrumentation.agent.asm.commons.ClassRemapper;
import org.pastalab.fray.instrumentation.agent.asm.commons.SimpleRemapper;
import org.pastalab.fray.instrumentation.base.ApplicationCodeTransformer;

/**
 * Java agent that instruments classes for Fray as they are loaded. In the project's own classes, each access to a field
 * becomes a point where another thread may go on; in libraries, only locks and volatile fields do.
 *
 * <p>Fray's own agent leaves plain fields out everywhere, so it finds no race on them. Nor can Fray schedule virtual
 * threads: here the project's own classes start platform threads in their place.
 */
public final class Agent {
    private Agent() {}

    /** Called by the JVM before the main class. */
    public static void premain(@Nullable String arguments, Instrumentation instrumentation) {
        instrumentation.addTransformer(new OwnClassesMore());
    }

    private static final class OwnClassesMore implements ClassFileTransformer {
        /** Immutable values, some of them with type annotations that Fray's checks do not know. */
        private static final String CUSTOM_RESOURCES = "dev/holdfast/crds/";

        private final ApplicationCodeTransformer own = new ApplicationCodeTransformer(true, List.of());
        private final ApplicationCodeTransformer libraries = new ApplicationCodeTransformer(false, List.of());

        @Override
        public byte @Nullable [] transform(
                @Nullable ClassLoader loader,
                String className,
                @Nullable Class<?> redefined,
                @Nullable ProtectionDomain domain,
                byte[] bytes) {
            if (className.startsWith(CUSTOM_RESOURCES)) {
                return null;
            }
            return className.startsWith("dev/holdfast/")
                    ? own.transform(loader, className, redefined, domain, PlatformThreads.in(bytes))
                    : libraries.transform(loader, className, redefined, domain, bytes);
        }
    }

    /** Replaces virtual threads by platform threads. Their builders have the same methods. */
    private static final class PlatformThreads extends SimpleRemapper {
        private static final Map<String, String> METHODS =
                Map.of("ofVirtual", "ofPlatform", "newVirtualThreadPerTaskExecutor", "newCachedThreadPool");

        private PlatformThreads() {
            super(Opcodes.ASM9, Map.of("java/lang/Thread$Builder$OfVirtual", "java/lang/Thread$Builder$OfPlatform"));
        }

        static byte[] in(byte[] bytes) {
            ClassWriter writer = new ClassWriter(0);
            new ClassReader(bytes).accept(new ClassRemapper(writer, new PlatformThreads()), 0);
            return writer.toByteArray();
        }

        @Override
        public String mapMethodName(String owner, String name, String descriptor) {
            return owner.startsWith("java/") ? METHODS.getOrDefault(name, name) : name;
        }
    }
}
