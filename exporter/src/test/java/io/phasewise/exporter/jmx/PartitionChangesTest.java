/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.jmx;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.exporter.instrument.FakeJvm;
import io.phasewise.exporter.instrument.Hooks;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Kafka's class, or the rest of it here, says before and after that something changes. */
class PartitionChangesTest {

    private static final String DELTA =
            "(Lorg/apache/kafka/image/TopicsDelta;Lorg/apache/kafka/image/MetadataImage;)V";

    private final List<String> errors = new ArrayList<>();
    private final Hooks hooks = new Hooks(errors::add);

    @BeforeEach
    void install() {
        hooks.install(new FakeJvm().instrumentation(), List.of(PartitionChanges.hook()));
    }

    /** Has Kafka's other classes too, empty. */
    private static final class Loader extends ClassLoader {
        Loader() {
            super(PartitionChangesTest.class.getClassLoader());
        }

        @Override
        protected Class<?> findClass(String name) {
            ClassWriter empty = new ClassWriter(0);
            empty.visit(
                    Opcodes.V11,
                    Opcodes.ACC_PUBLIC,
                    name.replace('.', '/'),
                    null,
                    "java/lang/Object",
                    null);
            return define(empty.toByteArray());
        }

        Class<?> define(byte[] classFile) {
            return defineClass(null, classFile, 0, classFile.length);
        }
    }

    /** A class whose method returns at two places, and throws at none. */
    private static byte[] replicaManager(String method) {
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_FRAMES);
        writer.visit(
                Opcodes.V11,
                Opcodes.ACC_PUBLIC,
                "kafka/server/ReplicaManager",
                null,
                "java/lang/Object",
                null);
        MethodVisitor code =
                writer.visitMethod(
                        Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC, method, DELTA, null, null);
        code.visitCode();
        Label none = new Label();
        code.visitVarInsn(Opcodes.ALOAD, 0);
        code.visitJumpInsn(Opcodes.IFNULL, none);
        code.visitInsn(Opcodes.RETURN);
        code.visitLabel(none);
        code.visitInsn(Opcodes.RETURN);
        code.visitMaxs(1, 2);
        code.visitEnd();
        writer.visitEnd();
        return writer.toByteArray();
    }

    private byte[] transform(String name, byte[] classFile) {
        return hooks.transform(getClass().getClassLoader(), name, null, null, classFile);
    }

    @Test
    void aChangeIsNoticedBeforeAndAfterItIsTakenIn() throws Exception {
        byte[] noticing = transform("kafka/server/ReplicaManager", replicaManager("applyDelta"));
        Loader kafka = new Loader();
        Method applyDelta =
                kafka.define(noticing)
                        .getMethod(
                                "applyDelta",
                                kafka.loadClass("org.apache.kafka.image.TopicsDelta"),
                                kafka.loadClass("org.apache.kafka.image.MetadataImage"));
        long before = PartitionChanges.noticed();
        applyDelta.invoke(null, null, null);
        assertThat(PartitionChanges.noticed()).isEqualTo(before + 2);
        assertThat(errors).isEmpty();
        assertThat(hooks.isActive("partition_changes")).isTrue();
    }

    @Test
    void otherClassesAreNotTouched() {
        assertThat(transform("kafka/server/ReplicaManager$", new byte[0])).isNull();
        assertThat(transform(null, new byte[0])).isNull();
        assertThat(errors).isEmpty();
    }

    @Test
    void aClassThatIsNotAsExpectedStaysAsItIsAndIsToldOf() {
        byte[] other = replicaManager("apply");
        assertThat(transform("kafka/server/ReplicaManager", other)).isNull();
        assertThat(errors)
                .singleElement()
                .asString()
                .startsWith("counts of partitions are read at every scrape")
                .contains("has 0 methods like kafka.server.ReplicaManager.applyDelta");
    }
}
