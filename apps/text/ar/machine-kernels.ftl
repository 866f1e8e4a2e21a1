machine-kernels-title = ماذا يفعل هذا الجهاز حين تكبر الدفعة؟
    .nav = ما يفعله هذا الجهاز
machine-kernels-why = يمرّ الصف نفسه في النواة الحسابية نفسها، منفردًا ثم إلى جانب صفوف أخرى حتى ٦٣ صفًا. هنا يخبرك جهازك أنت هل تبقى بتاته كما هي.

machine-kernels-rows = أكبر عدد للصفوف M
    .help = تُشغَّل كل قيم M من ١ إلى هذه القيمة، ويُقارَن كل صف بالصف نفسه منفردًا.
machine-kernels-seed = البذرة
machine-kernels-case = العملية والصيغة
machine-kernels-case-matmul-fp32-library = جداء المصفوفات · FP32
machine-kernels-case-matmul-bf16-library = جداء المصفوفات · BF16
machine-kernels-case-matmul-fp16-library = جداء المصفوفات · FP16
machine-kernels-case-rms_norm-fp32-library = RMSNorm · FP32
machine-kernels-case-rms_norm-bf16-library = RMSNorm · BF16
machine-kernels-case-rms_norm-fp16-library = RMSNorm · FP16
machine-kernels-case-attention-fp32-library = الانتباه · FP32
machine-kernels-case-attention-bf16-library = الانتباه · BF16
machine-kernels-case-attention-fp16-library = الانتباه · FP16
machine-kernels-case-softmax-fp32-library = softmax · FP32
machine-kernels-case-softmax-bf16-library = softmax · BF16
machine-kernels-case-softmax-fp16-library = softmax · FP16
machine-kernels-case-matmul-fp32-lab = جداء المصفوفات · FP32 (نواة حسابية للمختبر)
machine-kernels-case-matmul-bf16-emulated = جداء المصفوفات · BF16 (مُحاكى)
machine-kernels-operator-matmul = جداء المصفوفات
machine-kernels-operator-rms_norm = RMSNorm
machine-kernels-operator-attention = الانتباه
machine-kernels-operator-softmax = softmax

machine-kernels-some = **{ $format }: تتغيّر صفوف** في { $operators }.
machine-kernels-none = **{ $format }: لا يتغيّر شيء.** يحتفظ كل صف ببتاته في العمليات الأربع.
machine-kernels-comma = {"، "}
machine-kernels-lab-kept = **جداء المختبر نفسه في FP32 يحفظ كل بت.** به يحسب المسار المرجع.
machine-kernels-lab-changed = **جداء المختبر نفسه في FP32 يغيّر صفوفًا هنا.** فالمسار المرجع يتأثر بحجم الدفعة على هذا الجهاز.
machine-kernels-emulated-changed = **جداء BF16 المُحاكى يغيّر صفوفًا** كما يقول جدول تقسيمه: ٤ مجاميع جزئية عند صف واحد، و٢ حتى ٨ صفوف، و١ فوق ذلك. إنه نموذج لوحدة GPU وليس نواة حسابية لهذا الجهاز.
machine-kernels-emulated-kept = **جداء BF16 المُحاكى احتفظ ببتاته** في هذا التشغيل، مع أن جدول تقسيمه يتغيّر مع M.
machine-kernels-repeats-yes = أعطى كل تشغيل البتات نفسها مرتين: كل نواة حسابية هنا قابلة للتكرار، حتى التي تتأثر بحجم الدفعة.
machine-kernels-repeats-no = بعض عمليات التشغيل لم تعطِ البتات نفسها مرتين: النوى الحسابية فيها ليست حتى قابلة للتكرار. والجدول يبيّن أيّها.

machine-kernels-rows-axis = عدد الصفوف M في الدفعة
machine-kernels-row-axis = الصف
machine-kernels-kept = كل البتات كما في الانفراد
machine-kernels-changed = بتات تخالف الانفراد
machine-kernels-elements = العناصر المتغيّرة
machine-kernels-overview-alt = لكل عملية وصيغة وعدد صفوف: هل في صفٍّ ما بتات تخالف الانفراد
machine-kernels-rows-alt = { $name }: أي الصفوف تخالف بتاته الانفراد، عند كل عدد من الصفوف
machine-kernels-amounts-alt = { $name }: نسبة العناصر التي تغيّرت، عند كل عدد من الصفوف
machine-kernels-closely = عملية واحدة عن قرب
machine-kernels-empty = لم يصل التشغيل إلى هذه العملية بعد.
machine-kernels-fact-rows = الصفوف المتغيّرة عند M = { $rows }
machine-kernels-median = وسيط التغيّر (ulp)
machine-kernels-max = أكبر تغيّر (ulp)
machine-kernels-delta = أكبر تغيّر (مطلق)
machine-kernels-device = الجهاز
machine-kernels-threads = الخيوط

machine-kernels-why-known = لماذا، بقدر ما هو معروف
machine-kernels-why-blocks = **جداء المصفوفات في FP32.** تختار MKL نواة حسابية بحسب الشكل: واحدة للصف الواحد، وأخرى لصفوف قليلة، وأخرى للكثيرة. وكل منها تجمع جداءات العنصر وعددها ٥٧٦ بترتيبها الخاص. وقواعدها غير منشورة.
machine-kernels-why-bf16 = **جداء المصفوفات في BF16.** لا يغيّر هذا المعالج شيئًا في جداء torch بصيغة BF16. حيث لا يملك المعالج تعليمات مصفوفات لصيغة BF16 تحسب torch كل عنصر جداءً داخليًا قائمًا بنفسه: المجاميع في FP32 ثم تقريب واحد، ولا شيء فيه يتوقف على M. لذلك لا تظهر انقلابات BF16 المعروفة على GPU في جهاز كهذا، والمختبر يحاكيها.
machine-kernels-why-gpu = ‏**GPU.** تختار cuBLAS نواة حسابية بحسب الشكل، ومعها حجم البلاطة وتقسيم K. قواعدها غير منشورة، وما تراه هو ما فعلته هنا.
machine-kernels-why-rows = **‏RMSNorm وsoftmax.** يُجمَع كل صف بمفرده، وهنا بالطريقة نفسها عند كل M. قد تغيّر وحدات GPU حجم الكتلة عند الدفعات الكبيرة، و٦٤ صفًا لا تبلغ ذلك.
machine-kernels-why-attention = **الانتباه.** تتقاسم الخيوط التسلسلات والرؤوس، فقد تتوقف طريقة حساب الصف على عددها. وبخيط واحد قد لا يغيّر الجهاز نفسه شيئًا: اضبط `OMP_NUM_THREADS=1` وشغِّل من جديد.
machine-kernels-why-emulated = **الجداء المُحاكى.** تبقى المجاميع في FP32 ولا يتغيّر إلا ترتيبها، فتتحرك عناصر قليلة، ومعظمها بمقدار ulp واحد: لا بد أن يقع المجموع قريبًا من المنتصف بين عددين من BF16.

machine-kernels-notice-ulps = وسيط التغيّر بضع وحدات ulp. وقد يبلغ أكبره الآلاف: حيث تتلاغى الجداءات يقترب العنصر من الصفر فتصغر وحدة ulp جدًا، ويعدّ التغيّر المطلق نفسه كثيرًا منها.
machine-kernels-notice-repeat = قابلية التكرار وعدم التأثر بحجم الدفعة أمران مختلفان. قد تعطي النواة الحسابية البتات نفسها في كل تشغيل، ومع ذلك تعطي غيرها عند M أخرى.
machine-kernels-notice-threads = النتيجة تخص هذا الجهاز وهذه الإصدارات من المكتبات وهذا العدد من الخيوط. وقد يجيب جهاز آخر جوابًا آخر.

machine-kernels-try-lab = انظر إلى جداء المختبر في FP32: تُرتَّب أوزانه مرة واحدة، وترتيب جمع واحد يخدم كل M.
machine-kernels-try-emulated = انظر إلى جداء BF16 المُحاكى: أين تتغيّر الصفوف وأين لا تتغيّر؟
machine-kernels-try-run = خذ بذرة أخرى واضغط «شغِّل»: تغيّر النوى الحسابية نفسها الصفوف نفسها.

machine-kernels-column-operator = العملية
machine-kernels-column-format = الصيغة
machine-kernels-column-kernel = النواة الحسابية
machine-kernels-column-rows = الصفوف M
machine-kernels-column-changed_rows = الصفوف المتغيّرة
machine-kernels-column-changed_share = العناصر المتغيّرة
machine-kernels-column-median_ulps = وسيط ulp
machine-kernels-column-max_ulps = أكبر ulp
machine-kernels-column-max_delta = أكبر تغيّر
machine-kernels-column-repeats = قابل للتكرار
machine-kernels-column-milliseconds = ملّي ثانية
