/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import io.phasewise.exporter.agent.Instrumenting;
import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.function.Consumer;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Puts {@link PushLimit} around the stream that Kafka decompresses a push with, where Kafka sets no
 * limit itself: its method then has no parameter for one. Any surprise leaves the class as it is.
 */
final class PushLimitTransformer implements ClassFileTransformer {

    static final String KAFKA_CLASS =
            "org/apache/kafka/common/telemetry/internals/ClientTelemetryUtils";

    private static final String LIMIT = Type.getInternalName(PushLimit.class);
    private static final String STREAM = "Ljava/io/InputStream;";
    private static final int PARAMETERS_WITHOUT_LIMIT = 2;

    private final Consumer<String> errorLog;

    PushLimitTransformer(Consumer<String> errorLog) {
        this.errorLog = errorLog;
    }

    @Override
    public byte[] transform(
            ClassLoader loader,
            String className,
            Class<?> classBeingRedefined,
            ProtectionDomain domain,
            byte[] classFile) {
        if (!KAFKA_CLASS.equals(className)) {
            return null;
        }
        try {
            if (Instrumenting.isSeenBy(loader, PushLimit.class)) {
                return bound(classFile);
            }
            unbound("it has another copy of this agent on its class path");
        } catch (Throwable e) {
            unbound(e.toString());
        }
        return null;
    }

    private void unbound(String why) {
        errorLog.accept(
                "what clients push is decompressed without a limit; set telemetry.max.bytes low: "
                        + why);
    }

    /**
     * The class with the limit in it; null where Kafka has its own.
     *
     * @throws IllegalStateException when it decompresses in a way that is not known
     */
    static byte[] bound(byte[] classFile) {
        ClassReader reader = new ClassReader(classFile);
        ClassWriter writer = new ClassWriter(reader, 0);
        Inserter inserter = new Inserter(writer);
        reader.accept(inserter, 0);
        if (inserter.withoutLimit != inserter.bounded) {
            throw new IllegalStateException("this Kafka decompresses in a way that is not known");
        }
        return inserter.bounded > 0 ? writer.toByteArray() : null;
    }

    private static final class Inserter extends ClassVisitor {
        private int withoutLimit;
        private int bounded;

        Inserter(ClassWriter writer) {
            super(Opcodes.ASM9, writer);
        }

        @Override
        public MethodVisitor visitMethod(
                int modifiers,
                String name,
                String descriptor,
                String signature,
                String[] exceptions) {
            MethodVisitor method =
                    super.visitMethod(modifiers, name, descriptor, signature, exceptions);
            if (!name.equals("decompress")
                    || Type.getArgumentTypes(descriptor).length != PARAMETERS_WITHOUT_LIMIT) {
                return method;
            }
            withoutLimit++;
            return new MethodVisitor(Opcodes.ASM9, method) {
                @Override
                public void visitMethodInsn(
                        int opcode,
                        String owner,
                        String called,
                        String calledDescriptor,
                        boolean isInterface) {
                    super.visitMethodInsn(opcode, owner, called, calledDescriptor, isInterface);
                    if (called.equals("wrapForInput") && calledDescriptor.endsWith(STREAM)) {
                        bounded++;
                        super.visitMethodInsn(
                                Opcodes.INVOKESTATIC,
                                LIMIT,
                                "bounded",
                                "(" + STREAM + ")" + STREAM,
                                false);
                    }
                }
            };
        }
    }
}
