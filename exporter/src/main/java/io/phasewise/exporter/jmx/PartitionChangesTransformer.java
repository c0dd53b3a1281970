/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.jmx;

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
 * Puts a call of {@link PartitionChanges} before and after the method by which a broker takes in
 * what KRaft changed of its topics, which Kafka 3.7 to 4.4 have alike. Any surprise leaves the
 * class as it is.
 */
final class PartitionChangesTransformer implements ClassFileTransformer {

    static final String KAFKA_CLASS = "kafka.server.ReplicaManager";

    static final String UNNOTICED =
            "counts of partitions are read at every scrape, which costs more with many of them: ";

    private static final String METHOD =
            "applyDelta(Lorg/apache/kafka/image/TopicsDelta;"
                    + "Lorg/apache/kafka/image/MetadataImage;)V";

    private static final String INTERNAL_NAME = KAFKA_CLASS.replace('.', '/');
    private static final String CHANGES = Type.getInternalName(PartitionChanges.class);

    private final Consumer<String> errorLog;

    /**
     * @param errorLog takes a line when changes cannot be noticed
     */
    PartitionChangesTransformer(Consumer<String> errorLog) {
        this.errorLog = errorLog;
    }

    @Override
    public byte[] transform(
            ClassLoader loader,
            String className,
            Class<?> classBeingRedefined,
            ProtectionDomain domain,
            byte[] classFile) {
        if (!INTERNAL_NAME.equals(className)) {
            return null;
        }
        try {
            if (Instrumenting.isSeenBy(loader, PartitionChanges.class)) {
                return noticing(classFile);
            }
            errorLog.accept(UNNOTICED + "another copy of this agent is on Kafka's class path");
        } catch (Throwable e) {
            errorLog.accept(UNNOTICED + e);
        }
        return null;
    }

    /**
     * The class with the calls in it.
     *
     * @throws IllegalStateException when it has no such method
     */
    static byte[] noticing(byte[] classFile) {
        ClassReader reader = new ClassReader(classFile);
        ClassWriter writer = new ClassWriter(reader, 0);
        Inserter inserter = new Inserter(writer);
        reader.accept(inserter, 0);
        if (!inserter.inserted) {
            throw new IllegalStateException(KAFKA_CLASS + " has no " + METHOD);
        }
        return writer.toByteArray();
    }

    private static final class Inserter extends ClassVisitor {
        private boolean inserted;

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
            if (!METHOD.equals(name + descriptor)) {
                return method;
            }
            inserted = true;
            return new MethodVisitor(Opcodes.ASM9, method) {
                @Override
                public void visitCode() {
                    super.visitCode();
                    notice();
                }

                @Override
                public void visitInsn(int opcode) {
                    if (opcode == Opcodes.RETURN) {
                        notice();
                    }
                    super.visitInsn(opcode);
                }

                private void notice() {
                    super.visitMethodInsn(Opcodes.INVOKESTATIC, CHANGES, "notice", "()V", false);
                }
            };
        }
    }
}
