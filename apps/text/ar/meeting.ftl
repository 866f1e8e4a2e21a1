meeting-title = هل التخمين الجشع بلا تغيير في BF16؟
    .nav = التخمين أمام البوابة
meeting-why = على الورق لا يغيّر التخمين الجشع أي رمز: مهما سُوِّد فالكلمة الأخيرة للنموذج الهدف. لكن كلمته مجموع، والدورة تحسب $\gamma + 1$ صفوف في تمريرة واحدة، بينما يحسب فك الترميز العادي صفًّا واحدًا. وهذا في BF16 ترتيب آخر للجمع. هنا يُشغَّل حمل واحد بالطريقتين: في FP32، وفي BF16، وفي BF16 خلف البوابة.

meeting-open-title = افتح سجلًا محفوظًا
meeting-open-text = في سجل `meeting` التشغيلات الخمسة لحمل واحد. هذا الأمر يصنع واحدًا:
meeting-open = سجل تشغيل من هذه الصفحة (JSONL)
meeting-save = سجل التشغيل (JSONL)

meeting-controls = تشغيل من عندك: المُسوِّد و γ والدفعة والمسار والبوابة
meeting-drafter = المُسوِّد
    .help = من يقترح. في الحساب التام يعطي كل مُسوِّد الرموز نفسها.
meeting-gamma = ‏γ، الرموز المُسوَّدة في الدورة
    .help = لتمريرة الدورة $\gamma + 1$ صفوف لكل مُدخَل؛ و ٠ هو فك الترميز العادي.
meeting-prompts = المُدخَلات
    .help = أوائل القصص المرفقة. التشغيلات الخمسة كلها تفك ترميزها.
meeting-length = الرموز الجديدة
meeting-batch = المُدخَلات في وقت واحد
meeting-lane = المسار السريع
    .help = حساب التشغيلات المسمّاة هنا BF16. يتبع bf16-emulated ترتيب الجمع في GPU، ولـ bf16-invariant ترتيب واحد لكل شكل، و bf16-native ما يفعله torch على هذا الجهاز.
meeting-split-k = جدول split-K
    .help = أزواج صفوف:أقسام. المعنى في `1:4,8:2`: صف واحد بأربعة مجاميع جزئية، وحتى ٨ صفوف بمجموعين، وفوق ذلك بمجموع واحد.
meeting-tau = ‏τ، عتبة البوابة
    .help = يطلب الرمز نظرة إذا لم يتجاوز هامشه τ.
meeting-window = النافذة
    .help = ما يجوز أن ينتظر الفحص من رموز صف واحد. وقد تملؤها دورة فوق حدّها قبل أن يأتي المُتحقِّق.
meeting-pass-size = حجم التمريرة
    .help = المواضع التي تجمعها الصفوف المُعلَّمة قبل أن تُجرى تمريرة للمُتحقِّق.

meeting-told = المُدخَلات: { $prompts }، لكل منها { $length } من الرموز، في وقت واحد { $batch }. المُسوِّد { $drafter }، ⁦γ = { $gamma }⁩. المسار السريع { $lane }. البوابة: ⁦τ = { $tau }⁩، النافذة { $window }، حجم التمريرة { $pass_size }.
meeting-runs-done = انتهى من التشغيلات { $done } من { $all }.
meeting-verdict-parted = **لا.** في BF16 تفارق الدورات رموز فك الترميز العادي في { $parted } من المُدخَلات وعددها { $prompts }، وأول ذلك عند الرمز { $first }.
meeting-verdict-equal = **هنا نعم:** في BF16 تعطي الدورات رموز فك الترميز العادي في المُدخَلات كلها وعددها { $prompts }. وقد تفارقها في نص أطول أو مع γ أخرى.

meeting-run-fp32 = ‏FP32، عادي
meeting-run-fp32-speculative = ‏FP32، بالدورات
meeting-run-bf16 = ‏BF16، عادي
meeting-run-bf16-speculative = ‏BF16، بالدورات
meeting-run-bf16-speculative-gated = ‏BF16، بالدورات، بالبوابة
meeting-against = { $run } = { $partner }
meeting-than = أمام { $partner }

meeting-matrix = أين يفارق كل تشغيل نظيره
meeting-matrix-legend = «=»: كل الرموز رموز النظير. ◆: أول رمز يختلف، والعدّ من الصفر، وهامش هذا التشغيل عنده. وحتى ذلك الرمز قرأ التشغيلان النص نفسه.
meeting-cell-equal = متساوٍ
meeting-cell-parted = الرمز { $step }
meeting-cell-margin = الهامش { $margin }
meeting-cell-ended = كان التشغيل قد انتهى

meeting-texts-title = مُدخَل واحد كاملًا
meeting-prompt = المُدخَل
meeting-prompt-told = المُدخَل: «{ $prompt }»
meeting-strip = { $run }
meeting-strip-both = { $run } و{ $partner }: الرموز نفسها
meeting-texts-legend = ◆ في نصّي الزوج: هنا يفترق التشغيلان، وما بعده لا يُقارَن. ◆ في النص الذي خلف البوابة: نقض المُتحقِّق حكم مسار BF16. ضع المؤشر على رمز لترى هامشه والرمز الثاني وصفوف تمريرته.
meeting-note = الهامش { $margin }، الرمز الثاني «{ $runner }»، صفوف التمريرة: { $rows }
meeting-note-after = بعد افتراق التشغيلين
meeting-note-corrected = صحّحه المُتحقِّق
meeting-place-equal = كل الرموز متساوية، وعددها { $tokens }.
meeting-place-verified = كل الرموز متساوية، وعددها { $tokens }. ما صحّحه المُتحقِّق في الطريق: { $corrected }.
meeting-place-parted = **يفترقان عند الرمز { $step }.** { $partner } { $own }
meeting-choice = { $run }: «{ $token }»، بهامش { $margin } قبل «{ $runner }»، صفوف التمريرة: { $rows }.
meeting-choice-ended = { $run }: كان قد انتهى.

meeting-margins-title = حيث يفترقان يكون الهامش صغيرًا
meeting-margins-alt = نسبة خطوات BF16 العادي حتى كل هامش، مع الخطوات التي تفترق عندها التشغيلات
meeting-margins-text = المنحنى يعدّ كل خطوات BF16 العادي. وكل علامة عند هامش BF16 العادي حيث يفارقه تشغيل أو يفارق هو. إلى يسار τ تنظر البوابة فورًا، وتنظر في الباقي أيضًا لكن لاحقًا، حين تمتلئ النافذة.
meeting-axis-margin = هامش BF16 العادي
meeting-axis-share = الخطوات حتى هذا الهامش
meeting-line-all = كل الخطوات
meeting-line-tau = ‏⁦τ = { $tau }⁩
meeting-mark-bf16-speculative = الدورات تفارق BF16 العادي
meeting-mark-bf16 = ‏BF16 العادي يفارق FP32

meeting-cost = ما أخذه كل تشغيل
meeting-cost-tokens = الرموز
meeting-cost-passes = التمريرات
meeting-cost-per-pass = رموز لكل تمريرة
meeting-cost-visits = تمريرات المُتحقِّق
meeting-cost-corrected = المُصحَّحة
meeting-cost-text = تمريرات المسار على رموز مُدخَل واحد، مجموعة على المُدخَلات، دون تمريرات المُدخَلات نفسها. تمريرة المُتحقِّق تمريرة في FP32. ولا تقول الثواني شيئًا عن GPU: مسار BF16 يُحاكى على هذا المعالج.

meeting-table = الأزواج في جدول
meeting-column-prompt = المُدخَل
meeting-column-run = التشغيل
meeting-column-partner = النظير
meeting-column-equal = متساوٍ
meeting-column-parted = يفترقان عند
meeting-column-token = الرمز
meeting-column-partner_token = رمز النظير
meeting-column-margin = الهامش
meeting-column-partner_margin = هامش النظير
meeting-column-runner_up = الرمز الثاني
meeting-column-rows = الصفوف
meeting-column-partner_rows = صفوف النظير
meeting-column-passes = التمريرات
meeting-column-visits = تمريرات المُتحقِّق
meeting-column-corrected = المُصحَّحة

meeting-notice-rows = قاعدة القبول تامة، لكن اللوجيت الذي تُعطاه ليس لوجيت فك الترميز العادي. مع $\gamma = 4$ في التمريرة ٥ صفوف، وجدول split-K يعطي ٥ صفوف مجموعين جزئيين، وللصف الواحد أربعة. أما سائر الترتيب فيبقى: قاعدة الانتباه تعدّ كتلًا من ٦٤ استعلامًا، ولا تملؤها ٥ صفوف من هذا النموذج، و RMSNorm يتغيّر عند ٢٥٦ صفًّا.
meeting-notice-margin = لا تفترق التشغيلات إلا عند شبه تعادل. ولا أحد يستطيع أن يقول أيُّ الرمزين «صحيح»: BF16 العادي نفسه يفارق FP32 في مثل هذه المواضع.
meeting-notice-fp32 = في FP32 لا يفترق شيء، وليس ذلك حظًّا: كل نواة حسابية من نوى FP32 في هذا المختبر تعطي الصف البتات نفسها مهما كان إلى جانبه. ومع نوى FP32 المعتادة يتغيّر الترتيب أيضًا، غير أن حالات التعادل التي يمكن أن يكسرها أندر كثيرًا.
meeting-notice-gate = خلف البوابة يعيد المُتحقِّق حساب كل موضع في FP32 في ذاكرة خاصة به، ويسترد ما اختلف مع ما سُوِّد بعده. فالرموز هي رموز فك الترميز في FP32، مهما كان المُسوِّد و γ والدفعة و τ.
meeting-notice-cost = تُضاف تمريرات البوابة إلى تمريرات الدورات نفسها. ورمزها الإضافي يردّ واحدًا: حيث يتفق كل شيء ففي التمريرة الرمز التالي أيضًا.

meeting-try-zero = اجعل γ تساوي ٠ وشغِّل: دورة من صف واحد هي فك الترميز العادي بتًّا بتًّا.
meeting-try-split = أعطِ من صف واحد إلى ٦٤ صفًّا التقسيم نفسه (`64:4`) وشغِّل: لا يفترق شيء، فقد كان السبب split-K.
meeting-try-invariant = اختر المسار bf16-invariant وشغِّل: الدورات تساوي BF16 العادي، وقد يفارق كلاهما FP32.
