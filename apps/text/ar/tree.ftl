tree-title = كيف تتحقق تمريرة واحدة من تخمينات كثيرة؟
    .nav = شجرة من التخمينات
tree-why = سلسلة التخمينات تضيع عند أول تخمين خاطئ. أما الشجرة فعندها تخمينات أخرى جاهزة، وتمريرة واحدة للهدف تتحقق منها كلها: لا يرى كل رمز إلا أسلافه. وسواء زاد عمقها أو عرضها، تكبر التمريرة بصف لكل عقدة.

tree-recording = التشغيل المُسجَّل
tree-recording-option-k-ary = الشجرة نفسها في كل دورة، درجة الحرارة ٠
tree-recording-option-dynamic = شجرة تتبع ثقة المُسوِّد، درجة الحرارة ٠
tree-recording-option-sampled = اعتيان، والإخوة بلا إرجاع، درجة الحرارة ٠٫٧
tree-recording-option-typical = القبول النمطي (typical)، تقريبي، درجة الحرارة ٠٫٧
tree-recording-option-eagle = ‏EAGLE مع شجرة متغيّرة، درجة الحرارة ٠
tree-recording-option-medusa = رؤوس Medusa، درجة الحرارة ٠

tree-controls = تشغيل من عندك: المُدخَل والمُسوِّد وشكل الشجرة والقاعدة
tree-run-draft = المُسوِّد
    .help = من يخمّن. إذا كان بين اسمين + تقاسم مُسوِّدان الشجرة وتناوبا.
tree-draft-stories = نموذج صغير للقصص (stories)
tree-draft-trigram = جدول الثلاثيات (trigram)
tree-draft-bigram = جدول الثنائيات (bigram)
tree-draft-unigram = جدول المفردات (unigram)
tree-draft-early-exit = خروج مبكر: النصف الأول من الهدف
tree-draft-medusa = رؤوس Medusa
tree-draft-eagle = رأس EAGLE
tree-run-shape = شكل الشجرة
tree-shape-chain = سلسلة
tree-shape-k-ary = متعددة الأبناء، تضيق مع كل مستوى
tree-shape-dynamic = متغيّرة، بحسب الثقة
tree-run-gamma = المستويات (γ)
tree-run-width = العرض
    .help = عدد أبناء الجذر؛ وفي الشجرة المتغيّرة أيضًا عدد عقد المستوى التي تنمو.
tree-run-nodes = العقد التي يُتحقَّق منها
    .help = من كل ما نما تبقى العقد التي جداء ثقتها أكبر.
tree-tapered = عدد الأبناء لكل عقدة، مستوى بعد مستوى: { $widths }. مجموع العقد: { $nodes }.
tree-run-siblings = الإخوة
    .help = كيف يُختار أبناء العقدة. عند درجة الحرارة ٠ هم دائمًا الأرجح.
tree-siblings-top = الأرجح
tree-siblings-drawn = سحب، وقد يأتي الرمز مرتين
tree-siblings-drawn-without = سحب بلا إرجاع
tree-run-rule = قاعدة القبول
    .help = الاعتيان المتعدد الخطوات والمطابقة يحفظان توزيع الهدف. أما القبول النمطي فتقريبي: يغيّر التوزيع.
tree-rule-multi-step = اعتيان متعدد الخطوات، دقيق
tree-rule-match = اعتيان ومطابقة، دقيق
tree-rule-typical = القبول النمطي (typical)، تقريبي

tree-told = المُسوِّد: { $draft }. { $shape } الإخوة: { $siblings }. القاعدة: { $rule }. درجة الحرارة { $temperature }، البذرة { $seed }، المسار { $lane }.
tree-told-chain = سلسلة، عدد عقدها { $nodes }.
tree-told-k-ary = عدد الأبناء لكل عقدة بحسب المستوى: { $widths }.
tree-told-ranks = شجرة ثابتة، عدد عقدها { $nodes }.
tree-told-dynamic = شجرة متغيّرة: المستويات { $levels }، العرض { $width }، العقد { $nodes }.

tree-phase-grow = النمو
tree-phase-verify = التحقُّق
tree-phase-judge = القبول أو الرفض
tree-phase-emit = التصحيح أو الإضافة
tree-phase-compact = رصّ الذاكرة
tree-told-grow = **النمو، المستوى { $level }.** يخمّن المُسوِّد ما يلي عقد المستوى السابق، وعدد ما ينمو منها { $parents }؛ وعدد التخمينات التي تنضم إلى الشجرة { $fresh }. لم يُسأل الهدف بعد.
tree-told-verify = **التحقُّق.** تمريرة واحدة للهدف على { $positions } من المواضع: آخر رمز مُثبَّت، ومن العقد { $nodes }. وتعطي التوزيع p بعد كل منها، كأن كل مسار غُذّي به وحده.
tree-told-judge = { $tested ->
    [one] **المستوى { $level }.** يُختبر تخمين واحد بعد «{ $parent }»:
   *[other] **المستوى { $level }.** التخمينات بعد «{ $parent }» تُختبر بالتتابع، وعددها { $tested }؛ وكل رفض يترك للتالي أقل من p:
}
tree-told-test = «{ $token }»: ⁦p = { $p }⁩، ⁦q = { $q }⁩، احتمال القبول $\min(1, p/q)$ = { $acceptance }؛ ⁦u = { $u }⁩: **{ $verdict }**.
tree-told-matched = «{ $token }»: ⁦p = { $p }⁩: **{ $verdict }**.
tree-told-correction = **التصحيح.** لم يثبت شيء من التخمينات بعد آخر رمز مقبول، فيُسحب «{ $token }» مما تركته من p. عدد رموز هذه التمريرة { $emitted }، والمُخمَّن منها { $accepted }.
tree-told-bonus = **الإضافة.** بلغ المسار ورقة من الشجرة، والتوزيع بعد الورقة معلوم: يُسحب منه «{ $token }». عدد رموز هذه التمريرة { $emitted }.
tree-told-cut = **القطع.** أنهى «{ $token }» النص. عدد رموز هذه التمريرة { $emitted }.
tree-told-compact = **رصّ الذاكرة.** عدد الخانات بعد التمريرة { $full }، ويبقى منها { $kept }: تنتقل أعمدة المسار المقبول بترتيبها إلى جوار النص، ويُترك { $dropped }. وليس لآخر رمز خارج عمود بعد.

tree-state-root = آخر رمز مُثبَّت
tree-state-waiting = لم يُحكم عليه بعد
tree-state-accepted = قُبل
tree-state-rejected = رُفض
tree-state-unjudged = لم يُحكم عليه قط
tree-state-correction = تصحيح
tree-state-bonus = واحد زائد (إضافي)
tree-axis-level = المستوى
tree-hover-root = المستوى ٠، يُغذّى به في هذه التمريرة
tree-hover-place = العقدة { $node }، المستوى { $level }، الموضع { $position }
tree-hover-own = رمز الهدف نفسه، الموضع { $position }
tree-hover-confidence = ثقة المُسوِّد { $confidence }، وجداؤها على المسار { $product }
tree-hover-test = ⁦q = { $q }⁩، ⁦p = { $p }⁩، ⁦u = { $u }⁩
tree-hover-laws = أرجح الرموز:
tree-hover-law = { $token }: ⁦p = { $p }⁩، ⁦q = { $q }⁩
tree-graph-alt = شجرة الدورة { $round }: عدد العقد { $nodes }، والمستويات { $levels }، والمقبول { $accepted }. وفي الجدول أدناه كل عقدة.

tree-table-label = عقد الدورة { $round }
tree-head-node = العقدة
tree-head-token = الرمز
tree-head-level = المستوى
tree-head-parent = بعد
tree-head-confidence = الثقة
tree-head-product = الجداء
tree-head-q = ‏q
tree-head-p = ‏p
tree-head-u = ‏u
tree-head-verdict = الحكم
tree-head-laws = التوزيعان
tree-root = آخر رمز
tree-own = رمزه
tree-laws = { $tokens } من الرموز
tree-legend = الثقة: احتمال الرمز عند المُسوِّد نفسه قبل درجة الحرارة. ‏q: التوزيع الذي سُحب منه التخمين، وهو ١ لما يؤخذ بلا سحب. ‏p: توزيع الهدف بعد ما أخذه منه الإخوة المرفوضون.

tree-pass-title = التمريرة: من يرى من
tree-pass-text = لكل رمز من التمريرة صف، ولكل خانة من الذاكرة عمود. يرى كل رمز النص وأسلافه ونفسه. وموضعه من عمقه لا من خانته: للإخوة موضع واحد.
tree-pass-alt = قناع التمريرة، عدد رموزها { $places }: يرى كل منها النص وأسلافه ونفسه. والمواضع من { $first } إلى { $last }.
tree-axis-slot = خانة الذاكرة
tree-mask-position = الموضع
tree-mask-hidden = محجوب
tree-mask-text = من النص، مرئي
tree-mask-above = سلف، مرئي
tree-mask-itself = نفسه
tree-mask-hover = { $token }، الخانة { $slot }
tree-mask-legend = أزرق سماوي: النص، ولم تُرسم إلا خاناته الأخيرة. أزرق على يسار القطر: الأسلاف. القطر البرتقالي: الرمز نفسه. رمادي: محجوب.

tree-cache-title = الذاكرة: قبل التمريرة وبعدها ومرصوصة
tree-cache-before = قبل التمريرة
tree-cache-full = بعد التمريرة
tree-cache-kept = مرصوصة
tree-cache-slots = عدد الخانات { $slots }
tree-slot-from = ← { $slot }
tree-cache-legend = العدد في الإطار هو خانته. الإطار السميك: باقٍ. المشطوب: متروك. ←: الخانة التي نُقل منها العمود.

tree-sizes-title = الرموز في التمريرة مقابل العقد المُتحقَّق منها
tree-sizes-text = المُسوِّد *{ $draft }* عند درجة الحرارة ٠ على قصص لم يرها، عددها { $prompts }. كل نقطة شجرة، مجموعة على كل التمريرات: { $same ->
    [yes] كل نص هو نص فك الترميز العادي رمزًا رمزًا.
   *[no] ليس كل نص هو نص فك الترميز العادي.
}
tree-sizes-alt = الرموز في التمريرة مقابل العقد المُتحقَّق منها، للسلاسل والأشجار المتعددة الأبناء والمتغيّرة. الأفضل: الرموز { $tokens } والعقد { $nodes }.
tree-sizes-none = يُرسم هذا المخطط من تسجيل ليس في هذه النسخة من المختبر. وهذا الأمر يصنعه:
tree-axis-nodes = العقد المُتحقَّق منها في التمريرة
tree-axis-tokens = الرموز في التمريرة
tree-axis-both = الرموز في التمريرة، و v
tree-times-title = كلفة التمريرة
tree-times-text = زمن التمريرة على شجرة، بأضعاف زمن التمريرة على رمز واحد (v)، إلى جانب الرموز التي تعطيها أفضل شجرة بهذا الحجم. ويزيد على ذلك زمن المُسوِّد نفسه.
tree-times-alt = زمن التمريرة مقابل العقد، من ضعف واحد إلى { $v }، إلى جانب الرموز في التمريرة.
tree-line-v = زمن التمريرة، v
tree-line-best = الرموز في التمريرة، أفضل شجرة
tree-sizes-table = كل الأشجار في جدول
tree-column-request = المُدخَل
tree-column-round = الدورة
tree-column-node = العقدة
tree-column-parent = بعد العقدة
tree-column-level = المستوى
tree-column-token = الرمز
tree-column-confidence = الثقة
tree-column-product = الجداء على المسار
tree-column-verdict = الحكم
tree-column-form = الشكل
tree-column-shape = الشجرة
tree-column-nodes = العقد في التمريرة
tree-column-tokens = الرموز في التمريرة
tree-column-passes = التمريرات
tree-column-same = النص نفسه كالعادي

tree-notice-second = انظر إلى العقد المقبولة التي ليست الابن الأول: كانت سلسلة التخمينات الأولى ستنتهي عندها.
tree-notice-mask = للإخوة الموضع نفسه ولا يرى بعضهم بعضًا. فينال كل مسار في تمريرة واحدة ما كان سيناله وحده.
tree-notice-compact = قلّما يكون المسار المقبول متصلًا في الذاكرة. ما يبقى ينتقل؛ وما يُترك حُسب بلا فائدة.
tree-notice-cost = العقد الأكثر تعطي رموزًا أكثر في التمريرة، كل منها أقل مما قبلها، ويطول زمن التمريرة مع كل عقدة. وعلى المعالج المركزي أفضل الأشجار صغيرة.
tree-try-dynamic = اعرض الشجرة المتغيّرة: تتعمّق حيث يثق المُسوِّد وتعرُض حيث لا يثق.
tree-try-sampled = اعرض تشغيل الاعتيان: الآن u هو الفيصل، والرفض يغيّر p للأخ التالي.
tree-try-large = اطلب ٥ مستويات وعرضًا ٥: تُرفض الشجرة الكبيرة أكثر مما يجب قبل أن تُشغَّل.
tree-to-round = غصن واحد وحده، رمزًا رمزًا، مع كلتا الذاكرتين:

tree-round = { round-round }
tree-step = { round-step }
    .help = مستويات تنمو، وتمريرة الهدف، ومستويات يُحكم عليها، والرموز الخارجة، والذاكرة.
tree-request = { speculate-prompt }
tree-run-prompt = { speculate-prompt }
tree-run-own = { speculate-own }
    .help = { speculate-own.help }
tree-run-temperature = { speculate-temperature }
tree-run-length = { speculate-length }
tree-run-seed = { speculate-seed }
